import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { searchPages } from './assistant-pages.ts'
import type { DeploymentContext } from './context.ts'
import { Inconclusive } from './errors.ts'
import { at, textAt } from './json.ts'
import type { TestGraph } from './manifest.ts'
import type { Session } from './session.ts'
import { testGraphNames } from './test-graphs.ts'

/** Searches for the default assistants of all deployed test graphs on all pages, reads them and returns their ids. */
export async function readDefaultAssistants({
  deployment,
  session,
}: Pick<DeploymentContext, 'deployment' | 'session'>): Promise<readonly string[]> {
  const pages = await searchPages(deployment, () => 100)
  const marked = pages.flatMap(({ page }) => page).filter(isDefaultAssistant)
  const read = async (graph: string): Promise<readonly string[]> => {
    const assistant = marked.find((each) => at(each, 'graph_id') === graph)
    // A default assistant without the mark is known as the one that runs where a request names the graph.
    const id = textAt(assistant ?? (await deployment.ended({ assistantId: graph })).run, 'assistant_id')
    if (id === undefined) return []
    await deployment.http.send({ method: 'GET', path: `/assistants/${id}` })
    return [id]
  }
  return (await Promise.all(deployedGraphs(session).map(read))).flat()
}

/** Names of the deployed graphs that the manifest tells. */
function deployedGraphs(session: Session): readonly string[] {
  const known = testGraphNames.filter((graph) => isDeployed(session, graph)).map((graph) => session.graph(graph))
  return known.length > 0 ? known : [session.graph('any')]
}

function isDeployed(session: Session, graph: TestGraph): boolean {
  try {
    return session.graph(graph) !== ''
  } catch (error) {
    if (error instanceof Inconclusive) return false
    throw error
  }
}

/** A config that no other assistant has. */
export function uniqueConfig(): { readonly configurable: { readonly touchstone_marker: string } } {
  return { configurable: { touchstone_marker: crypto.randomUUID() } }
}
