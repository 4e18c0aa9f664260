import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { at, textAt } from '../values/json.ts'
import { searchPages } from './assistant-pages.ts'
import type { RunContext } from './context.ts'

/** Returns the id of the default assistant of any graph; undefined if no page of a search contains it. */
export async function defaultAssistantId(context: RunContext): Promise<string | undefined> {
  const graph = context.session.graph('any')
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

/** Returns a config that no other assistant has. */
export function uniqueConfig(): { readonly configurable: { readonly touchstone_marker: string } } {
  return { configurable: { touchstone_marker: crypto.randomUUID() } }
}
