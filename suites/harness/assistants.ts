import { isDefaultAssistant, stalePages } from '../catalog/deployment/assistant.ts'
import { at, textAt } from '../values/json.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import type { RunContext } from './context.ts'
import type { Deployment } from './deployment.ts'

/**
 * Searches for assistants page by page, until `isEnough` returns true for the ids so far, or the pages end.
 *
 * @param limitOf - returns the limit of the next page, from the numbers of all pages and of stale pages so far
 */
export async function searchPages(
  deployment: Deployment,
  limitOf: (page: number, stale: number) => number,
  isEnough: (ids: ReadonlySet<unknown>) => boolean = () => false,
): Promise<readonly { readonly limit: number; readonly page: readonly unknown[] }[]> {
  const pages: { limit: number; page: readonly unknown[] }[] = []
  const ids = new Set<unknown>()
  for (let offset = 0, stale = 0; stale < stalePages && !isEnough(ids); ) {
    const limit = limitOf(pages.length, stale)
    const page = await deployment.searchAssistants({ limit, offset })
    pages.push({ limit, page })
    if (page.length === 0) break
    const before = ids.size
    for (const assistant of page) ids.add(at(assistant, 'assistant_id'))
    stale = ids.size === before ? stale + 1 : 0
    offset += page.length
  }
  return pages
}

/** Returns the id of the default assistant of a graph; undefined if no page of a search contains it. */
export async function defaultAssistantId(
  context: RunContext,
  name: TestGraph | 'any' = 'any',
): Promise<string | undefined> {
  const graph = context.session.graph(name)
  const assistants = await searchDefaultAssistants(context)
  return textAt(
    assistants.find((each) => at(each, 'graph_id') === graph),
    'assistant_id',
  )
}

async function searchDefaultAssistants({ deployment }: RunContext): Promise<readonly unknown[]> {
  const pages = await searchPages(deployment, () => 100)
  return pages.flatMap(({ page }) => page).filter(isDefaultAssistant)
}

/** Reads the default assistants of all deployed test graphs and returns their ids. */
export async function readDefaultAssistants(context: RunContext): Promise<readonly string[]> {
  const { deployment, session } = context
  const marked = await searchDefaultAssistants(context)
  const read = async (graph: string): Promise<readonly string[]> => {
    const assistant = marked.find((each) => at(each, 'graph_id') === graph)
    // A default assistant that is not marked as such executes runs whose request names the graph.
    const id = textAt(assistant ?? (await deployment.runToEnd({ assistantId: graph })).run, 'assistant_id')
    if (id === undefined) return []
    await deployment.http.send({ method: 'GET', path: `/assistants/${id}` })
    return [id]
  }
  const graphs = Object.values(session.graphs)
  return (await Promise.all((graphs.length > 0 ? graphs : [session.graph('any')]).map(read))).flat()
}

/** Creates an assistant of any graph, once in each session. Returns its id. */
export function plainAssistant({ deployment, session }: RunContext): Promise<string> {
  return session.memoize('plain assistant', async () => {
    const id = await deployment.assistant('any')
    // A server must not keep only the newest assistants.
    session.readLater(async () => {
      await deployment.getAssistant(id)
      await deployment.runToEnd({ assistantId: id })
    })
    return id
  })
}
