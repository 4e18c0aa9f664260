import { areaOf } from '../catalog/requirement.ts'
import { searchPages } from '../harness/assistants.ts'
import { createDeployment, type Deployment } from '../harness/deployment.ts'
import { Inconclusive, NoResponse, Stopped } from '../harness/errors.ts'
import { createHttp } from '../harness/http.ts'
import type { Manifest } from '../harness/manifest.ts'
import { runBody } from '../harness/run-request.ts'
import { openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { poll } from '../harness/waiting.ts'
import { at, describeType, listAt, show, textAt } from '../values/json.ts'
import { isExecuting } from '../values/run-status.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { testGraphNames, testGraphsRevision } from '../values/test-graphs.ts'
import { UsageError } from '../values/usage-error.ts'
import { watchExecution } from './execution-capacity.ts'
import { preflightExports } from './preflight-exports.ts'
import { untilReady, type WaitingListener } from './until-ready.ts'

/** What a preflight reports while it goes on. */
export interface PreflightListeners {
  /** @default none */
  readonly onWaiting?: WaitingListener | undefined
  /** Called if a deployment executes few runs at a time, with their number, to which `concurrency` is set. @default none */
  readonly onCapacity?: ((runs: number) => void) | undefined
}

/**
 * Waits for every endpoint, then runs each test graph once. Returns the configuration with what it learned: `concurrency`,
 * unless it is set, is the number of runs that a deployment executes at a time if it is small, so that scenarios do not wait for
 * the runs of others.
 *
 * A graph counts as not deployed if its run is refused, no assistant has it, and none can be created, or one of an unknown graph,
 * too. Custom authentication may refuse these requests: there, the refusal must also be that of an unknown graph, while runs of
 * another graph are accepted. Otherwise, the scenarios report the refusal.
 *
 * @throws UsageError if an endpoint is not reachable, or the configuration does not fit it
 */
export async function preflight(
  manifest: Manifest,
  seed: string,
  { onWaiting = () => undefined, onCapacity = () => undefined }: PreflightListeners = {},
): Promise<TargetManifest> {
  const revisions: Record<string, string> = {}
  const missing = new Set<TestGraph>()
  const sessions = Object.keys(manifest.endpoints).map((name) => openSession(manifest, name, seed))
  const deployed = sessions.filter(({ profile }) => areaOf(profile) === 'deployment')
  const probeGraphs = async (session: Session) => {
    const client = usualClient(session)
    const isMeasured = manifest.concurrency === undefined && declares(session, 'slow')
    const afterProbes = isMeasured ? await ifExecuted(watchExecution(client, session)) : undefined
    const probes = testGraphNames.map((graph) => unlessLost(probe(session, client, graph), { graph }))
    for (const { graph, revision, refused } of await Promise.all(probes)) {
      if (refused) missing.add(graph)
      if (revision !== undefined) revisions[session.endpointName] = revision
    }
    return ifExecuted(afterProbes?.())
  }
  const capacities: number[] = []
  try {
    for (const session of sessions)
      await (deployed.includes(session) ? checkDeployment : preflightExports)(session, onWaiting)
    // One after another: endpoints may share the workers that execute runs.
    for (const measure of await Promise.all(deployed.map(probeGraphs)))
      capacities.push((await ifExecuted(measure?.())) ?? Infinity)
  } finally {
    await Promise.all(sessions.map((session) => session.close()))
  }
  const outdated = Object.entries(revisions).find(([, revision]) => revision !== testGraphsRevision)
  if (outdated) {
    throw new UsageError(
      `expected revision ${testGraphsRevision} of the test graphs on the endpoint "${outdated[0]}", received ${outdated[1]}. Deploy the test graphs again.`,
    )
  }
  const concurrency = Math.min(...capacities)
  if (concurrency === Infinity) return { ...manifest, refused: [...missing], revisions }
  onCapacity(concurrency)
  return { ...manifest, concurrency, refused: [...missing], revisions }
}

/** Returns undefined for a deployment that does not execute a graph: the scenarios report it. */
async function ifExecuted<T>(result: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if ([Inconclusive, NoResponse, Stopped].some((type) => error instanceof type)) return undefined
    throw error
  }
}

/** Waits for a deployment, and checks that the configuration fits it. */
async function checkDeployment(session: Session, onWaiting: WaitingListener): Promise<void> {
  const client = usualClient(session)
  const request = { method: 'POST', path: '/assistants/search', body: { limit: 1 } } as const
  await untilReady(session, client.http, request, onWaiting)
  await unlessLost(checkDeclaration(session, client), undefined)
}

/** Ignores lost and unexpected responses: the scenarios report them. */
function unlessLost<T>(request: Promise<T>, otherwise: T): Promise<T> {
  return request.catch((error: unknown) => {
    if (error instanceof NoResponse || error instanceof Stopped) return otherwise
    throw error
  })
}

function usualClient(session: Session): Deployment {
  const headers = { ...session.endpoint.headers, ...session.endpoint.users?.alice.headers }
  const http = createHttp({ session, headers, user: 'alice', timeoutMs: () => session.budgets.waitMs })
  return createDeployment(http, session)
}

/** Reports a configuration that does not fit the target once, instead of failing a hundred scenarios. */
async function checkDeclaration(session: Session, client: Deployment): Promise<void> {
  const [thread, search] = await Promise.all([
    client.http.send({ method: 'POST', path: '/threads', body: {} }),
    client.http.send({ method: 'POST', path: '/assistants/search', body: { limit: 1 } }),
  ])
  const both = (...statuses: number[]) => statuses.includes(thread.status) && statuses.includes(search.status)
  const where = `the endpoint "${session.endpointName}" (${session.endpoint.url})`
  if (both(404, 405))
    throw new UsageError(
      `${where}: expected a 2xx response to POST /assistants/search, received ${search.status}. Check that the URL is the base URL of the deployment API.`,
    )
  const isRefused = both(401, 403)
  if (!isRefused && thread.json === undefined && search.json === undefined) {
    const { location, 'content-type': type } = search.headers
    const redirect = location && ` (a redirect to ${location}, which is not followed)`
    const kind = redirect ?? describeType(type, search.text)
    throw new UsageError(
      `${where}: expected JSON from POST /threads and POST /assistants/search, received ${search.status} without JSON${kind}. Check that the URL is that of a LangGraph Server.`,
    )
  }
  if (thread.status >= 500 && search.status >= 500) {
    const [as, remedy] =
      session.profile === 'open'
        ? ['', 'Look at the log of the server']
        : [' as alice', 'Look at your authentication handler']
    throw new UsageError(
      `${where}: expected a 2xx response to POST /threads${as}, received ${thread.status} ${show(thread.json, 100)}, and ${search.status} for POST /assistants/search. ${remedy}.`,
    )
  }
  if (isRefused) {
    const remedy =
      session.profile === 'open'
        ? 'Add credentials with --header, or declare the endpoint as "custom-auth" with users ("npx touchstone init URL" writes such a configuration)'
        : 'Check the headers of users.alice and their environment variables'
    const scheme = search.headers['www-authenticate']
    const demanded = scheme === undefined ? '' : ` with WWW-Authenticate: ${scheme}`
    throw new UsageError(
      `${where}: expected 2xx responses, received ${search.status}${demanded} for every request. ${remedy}.`,
    )
  }
  if (!session.blackBox || thread.ok === false) return
  const body = runBody(session, { graph: 'any', text: 'preflight' })
  const run = await client.http.send({ method: 'POST', path: `/threads/${at(thread.json, 'thread_id')}/runs`, body })
  if (run.ok || session.profile === 'custom-auth' || (await lists(client, session.graph('any')))) return
  throw new UsageError(
    `${where}: expected the graph "${session.graph('any')}" to be deployed, received ${run.status} for a run of it and no assistant with this graph. Set --graph to the name of a deployed graph.`,
  )
}

interface Probe {
  readonly graph: TestGraph
  readonly revision?: string
  readonly refused?: boolean
}

async function probe(session: Session, client: Deployment, graph: TestGraph): Promise<Probe> {
  if (!declares(session, graph)) return { graph }
  const { json: thread } = await client.http.send({ method: 'POST', path: '/threads', body: {} })
  const threadId = textAt(thread, 'thread_id')
  // The scenarios report a target that creates no threads.
  if (threadId === undefined) return { graph }
  const body = runBody(session, { graph, text: 'preflight' })
  const created = await client.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
  if (!created.ok) {
    const name = session.graph(graph)
    const isKnown =
      (session.profile === 'custom-auth' && !(await refusesAsUnknown(session, client, graph))) ||
      (await lists(client, name)) ||
      (await acceptsOnlyKnown(client, name))
    return { graph, refused: !isKnown }
  }
  if (graph !== 'echo') return { graph }
  const revision = await poll(session, async () => {
    // Read the run first: if it has ended, the state that is read afterwards contains its result.
    const { json: run } = await client.http.send({
      method: 'GET',
      path: `/threads/${threadId}/runs/${at(created.json, 'run_id')}`,
      requirement: 'run.get.answers-run',
    })
    const path = `/threads/${threadId}/state`
    const { json: state } = await client.http.send({ method: 'GET', path, requirement: 'state.get.answers-state' })
    const messages = listAt(state, 'values', 'messages')
    const revision = messages.map((message) => textAt(message, 'response_metadata', 'kit', 'revision')).find(Boolean)
    if (revision !== undefined) return revision
    return isExecuting(run) ? undefined : ''
  })
  return revision ? { graph, revision } : { graph }
}

function declares(session: Session, graph: TestGraph): boolean {
  try {
    return session.graph(graph) !== ''
  } catch {
    return false
  }
}

/** Whether a server accepts assistants of a graph, but not of a graph that is not deployed. */
async function acceptsOnlyKnown({ http }: Deployment, graph: string): Promise<boolean> {
  const creates = async (graph_id: string) =>
    (await http.send({ method: 'POST', path: '/assistants', body: { graph_id } })).ok
  return (await creates(graph)) && !(await creates(`touchstone-none-${crypto.randomUUID()}`))
}

/** Whether a server accepts runs of another graph, and refuses those of this graph like runs of a graph that is not deployed. */
async function refusesAsUnknown(session: Session, { http, thread }: Deployment, graph: TestGraph): Promise<boolean> {
  const statusOf = async (assistantId: string) => {
    const body = runBody(session, { assistantId, text: 'preflight' })
    return (await http.send({ method: 'POST', path: `/threads/${await thread()}/runs`, body })).status
  }
  const others = testGraphNames.filter((other) => other !== graph && declares(session, other))
  const names = [session.graph(graph), `touchstone-none-${crypto.randomUUID()}`, ...others.map(session.graph)]
  const [refused, unknown, ...rest] = await Promise.all(names.map(statusOf))
  return refused === unknown && rest.some((status) => status < 300)
}

/** Whether a page of the search shows an assistant of a graph. */
async function lists(client: Deployment, graph: string): Promise<boolean> {
  const pages = await searchPages(client, () => 100).catch(() => [])
  return pages.some(({ page }) => page.some((assistant) => textAt(assistant, 'graph_id') === graph))
}
