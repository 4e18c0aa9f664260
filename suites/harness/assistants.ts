import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { searchPages } from './assistant-pages.ts'
import type { CheckContext } from './context.ts'
import type { Deployment } from './deployment.ts'
import { Inconclusive } from './errors.ts'
import type { Answer } from './http.ts'
import { at, textAt } from './json.ts'
import type { TestGraph } from './manifest.ts'
import type { Session } from './session.ts'
import { testGraphNames } from './test-graphs.ts'

/** A default assistant, as the search and the endpoint of one assistant show it. */
export interface FoundDefault {
  readonly graph: string
  readonly id: string | undefined
  /** Undefined where the search does not show it. */
  readonly listed: unknown
  /** Undefined where its id is not known. */
  readonly got: Answer | undefined
}

/** The default assistants of all deployed test graphs, looked for through all pages. */
export async function defaultAssistants(
  context: Pick<CheckContext, 'deployment' | 'session'>,
): Promise<readonly FoundDefault[]> {
  const pages = await searchPages(context.deployment, () => 100)
  const all = pages.flatMap(({ page }) => page)
  return Promise.all(deployedGraphs(context.session).map((graph) => findDefault(context.deployment, graph, all)))
}

async function findDefault(deployment: Deployment, graph: string, all: readonly unknown[]): Promise<FoundDefault> {
  const marked = all.find((one) => at(one, 'graph_id') === graph && isDefaultAssistant(one))
  // One that is not marked as documented is recognised as the assistant that the graph's name stands for.
  const id = textAt(marked, 'assistant_id') ?? (await assistantOfName(deployment, graph))
  const listed = marked ?? all.find((one) => id !== undefined && at(one, 'assistant_id') === id)
  const got = id === undefined ? undefined : await deployment.http.send({ method: 'GET', path: `/assistants/${id}` })
  return { graph, id, listed, got }
}

async function assistantOfName(deployment: Deployment, graph: string): Promise<string | undefined> {
  const threadId = await deployment.thread()
  const run = await deployment.createRun(threadId, { assistantId: graph })
  const runId = textAt(run, 'run_id')
  if (runId !== undefined) await deployment.settle(threadId, runId)
  return textAt(run, 'assistant_id')
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
export function markedConfig(): { readonly configurable: { readonly touchstone_marker: string } } {
  return { configurable: { touchstone_marker: crypto.randomUUID() } }
}

/** What the document says of an assistant, in a form that two answers can be compared in. */
export function documented(assistant: unknown): Readonly<Record<string, unknown>> {
  const time = (name: string) => Date.parse(String(at(assistant, name)))
  const plain = ['assistant_id', 'graph_id', 'config', 'metadata'].map((name) => [name, at(assistant, name)])
  return { ...Object.fromEntries(plain), created_at: time('created_at'), updated_at: time('updated_at') }
}
