import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { searchPages } from './assistant-pages.ts'
import type { DeploymentContext } from './context.ts'
import { at, textAt } from './json.ts'

/** Reads the default assistants of all deployed test graphs and returns their ids. */
export async function readDefaultAssistants({
  deployment,
  session,
}: Pick<DeploymentContext, 'deployment' | 'session'>): Promise<readonly string[]> {
  const pages = await searchPages(deployment, () => 100)
  const marked = pages.flatMap(({ page }) => page).filter(isDefaultAssistant)
  const read = async (graph: string): Promise<readonly string[]> => {
    const assistant = marked.find((each) => at(each, 'graph_id') === graph)
    // A default assistant that is not marked as such executes runs whose request names the graph.
    const id = textAt(assistant ?? (await deployment.ended({ assistantId: graph })).run, 'assistant_id')
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
