import { areaOf } from '../catalog/requirement.ts'
import type { Deployment } from '../harness/deployment.ts'
import { createDeployment } from '../harness/deployment-client.ts'
import { NoAnswer } from '../harness/errors.ts'
import { createHttp } from '../harness/http.ts'
import { at, listAt, textAt } from '../harness/json.ts'
import type { Manifest, TestGraph } from '../harness/manifest.ts'
import { createRecorder } from '../harness/recorder.ts'
import { openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { testGraphNames, testGraphsRevision } from '../harness/test-graphs.ts'
import { poll } from '../harness/waiting.ts'
import { preflightExports } from './preflight-exports.ts'
import { untilReady, type WaitingListener } from './until-ready.ts'
import { UsageError } from './usage-error.ts'

/** What is known of a target before the checks. */
export interface Preflight {
  /** The manifest with the graphs named that the target does not run. */
  readonly manifest: TargetManifest
  /** Revision of the test graphs by endpoint, if it could be read. */
  readonly revisions: Readonly<Record<string, string>>
}

/**
 * Waits for every endpoint, then runs each test graph once.
 *
 * A target that never answers is a UsageError. A graph that is refused and that no assistant stands for counts as not
 * deployed; one that is refused although the target lists it stays in, so that the checks judge the refusal.
 */
export async function preflight(
  manifest: Manifest,
  seed: string,
  onWaiting: WaitingListener = () => undefined,
): Promise<Preflight> {
  const revisions: Record<string, string> = {}
  const missing = new Set<TestGraph>()
  for (const name of Object.keys(manifest.endpoints)) {
    const session = openSession(manifest, name, seed)
    try {
      if (areaOf(session.profile) === 'export') {
        await preflightExports(session, onWaiting)
        continue
      }
      const client = usualClient(session)
      await untilReady(
        session,
        client.http,
        { method: 'POST', path: '/assistants/search', body: { limit: 1 } },
        onWaiting,
      )
      await unlessLost(checkDeclaration(session, client), undefined)
      const found = await Promise.all(
        testGraphNames.map((graph) => unlessLost(probe(session, client, graph), { graph })),
      )
      for (const { graph, revision, refused } of found) {
        if (refused) missing.add(graph)
        if (revision !== undefined) revisions[name] = revision
      }
    } finally {
      await session.close()
    }
  }
  const outdated = Object.entries(revisions).filter(([, revision]) => revision !== testGraphsRevision)
  for (const [name, revision] of outdated) {
    throw new UsageError(
      `"${name}" runs revision ${revision} of the test graphs; these suites need revision ${testGraphsRevision}: deploy the test graphs again.`,
    )
  }
  return { manifest: { ...manifest, refused: [...missing] }, revisions }
}

/** What is lost on the way is for the checks to judge. */
function unlessLost<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof NoAnswer) return otherwise
    throw error
  })
}

function usualClient(session: Session): Deployment {
  const headers = { ...session.endpoint.headers, ...session.endpoint.users?.alice.headers }
  const recorder = createRecorder(session.secrets)
  const { url } = session.endpoint
  const timeoutMs = () => session.budgets.waitMs
  return createDeployment(createHttp({ url, headers, dispatcher: session.dispatcher, recorder, timeoutMs }), session)
}

/** A declaration that does not fit the target would fail a hundred checks; it is told here, once. */
async function checkDeclaration(session: Session, client: Deployment): Promise<void> {
  const [thread, search] = await Promise.all([
    client.http.send({ method: 'POST', path: '/threads', body: {} }),
    client.http.send({ method: 'POST', path: '/assistants/search', body: { limit: 1 } }),
  ])
  const both = (...statuses: number[]) => statuses.includes(thread.status) && statuses.includes(search.status)
  const where = `the endpoint "${session.endpointName}" (${session.endpoint.url})`
  if (both(404, 405))
    throw new UsageError(`${where} answers ${search.status} to POST /assistants/search: is it the base URL?`)
  if (thread.ok && search.ok && thread.json === undefined && search.json === undefined) {
    throw new UsageError(
      `${where} answers ${search.status} and no JSON to POST /threads and POST /assistants/search: is it an agent service?`,
    )
  }
  if (both(401, 403)) {
    const remedy =
      session.profile === 'open'
        ? 'give its credentials with --header, or declare the endpoint "custom-auth" with its users ("npx touchstone init URL" writes it)'
        : 'check the headers of users.alice and the variables they name'
    throw new UsageError(`${where} refuses every request with ${search.status}: ${remedy}.`)
  }
  if (!session.blackBox || thread.ok === false) return
  const body = { assistant_id: session.graph('any'), input: { messages: [{ role: 'human', content: 'preflight' }] } }
  const run = await client.http.send({ method: 'POST', path: `/threads/${at(thread.json, 'thread_id')}/runs`, body })
  if (run.ok || session.profile === 'custom-auth' || (await lists(client, session.graph('any')))) return
  throw new UsageError(
    `${where} does not run the graph "${session.graph('any')}": ${run.status} to its run, and no assistant stands for it. Give the name of a deployed graph with --graph.`,
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
  // A target that makes no threads is for the checks to judge.
  if (threadId === undefined) return { graph }
  const body = { assistant_id: session.graph(graph), input: { messages: [{ role: 'human', content: 'preflight' }] } }
  const created = await client.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
  if (!created.ok) {
    const listed = session.profile === 'custom-auth' || (await lists(client, session.graph(graph)))
    return { graph, refused: !listed }
  }
  if (graph !== 'echo') return { graph }
  const revision = await poll(session, async () => {
    // The run first: what has ended before the state is read stands in it.
    const { json: run } = await client.http.send({
      method: 'GET',
      path: `/threads/${threadId}/runs/${at(created.json, 'run_id')}`,
      row: 'run.get.answers-run',
    })
    const path = `/threads/${threadId}/state`
    const { json: state } = await client.http.send({ method: 'GET', path, row: 'state.get.answers-state' })
    const messages = listAt(state, 'values', 'messages')
    const told = messages.map((message) => textAt(message, 'response_metadata', 'kit', 'revision')).find((one) => one)
    if (told !== undefined) return told
    return ['pending', 'running'].includes(textAt(run, 'status') ?? '') ? undefined : ''
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

async function lists(client: Deployment, graph: string): Promise<boolean> {
  for (let offset = 0; ; offset += 100) {
    const { json } = await client.http.send({
      method: 'POST',
      path: '/assistants/search',
      body: { limit: 100, offset },
    })
    if (!Array.isArray(json) || json.length === 0) return false
    if (json.some((one) => textAt(one, 'graph_id') === graph)) return true
  }
}
