import { isDeepStrictEqual } from 'node:util'
import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { at, listAt, parseJson, textAt } from '../values/json.ts'
import { isExecuting, isFinal, isUnknown } from '../values/run-status.ts'
import { settlingMs } from '../values/settling-time.ts'
import { type EndpointModel, endpointModel } from './endpoint.ts'
import type { EndpointLog, Exchange } from './exchange.ts'
import { createRun, streamRun } from './operations.ts'

/** A thread and all exchanges that name it. */
export interface Thread {
  readonly id: string
  /** Undefined if the trace does not show its creation. */
  readonly creation: Exchange | undefined
  readonly exchanges: readonly Exchange[]
  /** Requests with other methods than GET. */
  readonly writes: readonly Exchange[]
  /** Whether only its creator sends requests about it. What other users may do is stated by requirements of authentication. */
  readonly isPrivate: boolean
  /** Requests for a run, in the order in which they were sent. */
  readonly requests: readonly Exchange[]
  /** Requests that may have created a run: not those with `reject` that returned the id of an earlier one. */
  readonly runCreations: readonly Exchange[]
  /** Runs with an id that no other run has, in the order of their creation. */
  readonly runs: readonly Run[]
  /** Returns the run that a request created. */
  runOf(creation: Exchange): Run | undefined
  /** Whether a write has an unknown effect: it was a probe, an accepted fault, or its response was lost. */
  readonly hasUnknownEffects: boolean
  /** Whether a 2xx response to a request with `reject` shows no run: it was refused, or created a run that has no record. */
  readonly mayHaveOtherRuns: boolean
}

/** A run that a request of the trace created. */
export interface Run {
  /** Id, spelled as in the response to its creation. */
  readonly id: string
  readonly thread: Thread
  readonly creation: Exchange
  /** Its records, except those in lists that show its end late. */
  readonly views: readonly RunView[]
  /** When the first response showed a final status, except that to the creation; infinity if none did. */
  readonly endShownAt: number
}

/** A thread while its runs are collected. */
interface GrowingThread extends Thread {
  readonly runs: Run[]
  readonly byCreation: Map<Exchange, Run>
}

/** A run while its views are collected. */
interface GrowingRun extends Run {
  readonly views: RunView[]
  endShownAt: number
}

/** A record of a run in a response. */
export interface RunView {
  /** Undefined if the trace does not show the creation of the run, or the record has no id. */
  readonly run: Run | undefined
  /** The request that created the run; undefined if the trace does not show it. */
  readonly creation: Exchange | undefined
  readonly thread: Thread | undefined
  readonly exchange: Exchange
  readonly source: RunSource
  readonly record: unknown
}

/** Request whose response shows a run: its creation, GET of the run, or the list of its thread. */
export type RunSource = 'creation' | 'read' | 'list'

/** An assistant that a request of the trace created. */
interface Assistant {
  readonly creation: Exchange
  /** Whether a creation with another request returned the same id: which settings it has is unknown. */
  readonly isAmbiguous: boolean
}

/** The resources of one endpoint of the deployment API, with every response that shows them. Keys of maps come from `keyOf`. */
export interface DeploymentModel extends EndpointModel {
  readonly threads: ReadonlyMap<string, Thread>
  readonly runs: ReadonlyMap<string, Run>
  readonly runViews: readonly RunView[]
  readonly assistants: ReadonlyMap<string, Assistant>
  /** Ids of default assistants with the names of their graphs. */
  readonly defaultAssistants: ReadonlyMap<string, string>
}

/** Operations that show records of runs. */
const showingRuns = [createRun, 'GET /threads/{thread_id}/runs/{run_id}', 'GET /threads/{thread_id}/runs'] as const

/** Builds the model of an endpoint from its exchanges. */
export function deploymentModel(log: EndpointLog): DeploymentModel {
  const model = endpointModel(log)
  const threads = threadsIn(model.exchanges)
  const runs = addRuns([...threads.values()])
  const runViews = showingRuns
    .flatMap(model.of)
    .sort((a, b) => a.id - b.id)
    .flatMap((exchange) => viewsIn(exchange, threads, runs))
  for (const view of runViews) noteView(view)
  const assistants = assistantsIn(model.exchanges)
  const defaultAssistants = defaultAssistantsIn({ ...model, threads }, assistants)
  return { ...model, threads, runs, runViews, assistants, defaultAssistants }
}

function noteView(view: RunView): void {
  const { exchange, record } = view
  const run = view.run as GrowingRun | undefined
  if (run === undefined || isLate(view, run)) return
  run.views.push(view)
  if (exchange === run.creation) return
  // A run that fails or is refused may have any status: the return of a join shows that it has ended.
  if (isFinal(at(record, 'status')) || (isUnknown(record) && wasJoined(run, exchange.sentAt)))
    run.endShownAt = Math.min(run.endShownAt, exchange.endedAt)
}

/** Whether a list shows a run as executing just after another response has shown its end. */
function isLate({ source, exchange: { sentAt }, record }: RunView, { endShownAt }: Run): boolean {
  return source === 'list' && isExecuting(record) && sentAt >= endShownAt && sentAt < endShownAt + settlingMs
}

/** Whether a join of a run had returned before a time. */
function wasJoined({ id, thread }: Run, time: number): boolean {
  return thread.exchanges.some(
    ({ operation, accepted, endedAt, params }) =>
      operation === 'GET /threads/{thread_id}/runs/{run_id}/join' &&
      accepted &&
      endedAt <= time &&
      keyOf(params['run_id']) === keyOf(id),
  )
}

/** Returns an id in the form in which ids are compared: UUIDs may be written in upper or lower case. */
export function keyOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id.toLowerCase() : undefined
}

/** Returns the thread that the path of a request names. */
export function threadOf(model: Pick<DeploymentModel, 'threads'>, { params }: Exchange): Thread | undefined {
  return model.threads.get(keyOf(params['thread_id']) ?? '')
}

/** Selects the states of threads in responses, each with its thread. */
export function* threadStates(model: DeploymentModel) {
  for (const exchange of model.of('GET /threads/{thread_id}/state')) {
    const thread = threadOf(model, exchange)
    if (thread !== undefined) yield { exchange, thread }
  }
}

/** Whether an accepted request created no run, but returned an earlier one or none, as `reject` may on a busy thread. */
export function returnedEarlier(model: Pick<DeploymentModel, 'threads'>, exchange: Exchange): boolean {
  return exchange.accepted && threadOf(model, exchange)?.runCreations.includes(exchange) === false
}

function threadsIn(exchanges: readonly Exchange[]): ReadonlyMap<string, GrowingThread> {
  const creations = exchanges.filter(({ operation, accepted }) => operation === 'POST /threads' && accepted)
  const creationsById = Map.groupBy(creations, ({ json }) => keyOf(at(json, 'thread_id')))
  const named = Map.groupBy(exchanges, ({ params }) => keyOf(params['thread_id']))
  const threads = new Map<string, GrowingThread>()
  for (const id of new Set([...creationsById.keys(), ...named.keys()])) {
    if (id !== undefined) threads.set(id, threadWith(id, creationsById.get(id)?.[0], named.get(id) ?? []))
  }
  return threads
}

function threadWith(id: string, creation: Exchange | undefined, exchanges: readonly Exchange[]): GrowingThread {
  const requests = exchanges.filter(({ operation }) => operation === createRun || operation === streamRun)
  const runCreations = creationsAmong(requests)
  const writes = exchanges.filter(({ method }) => method !== 'GET')
  const isUnclear = (exchange: Exchange) =>
    exchange.accepted && createdRunId(exchange) === undefined && !runCreations.includes(exchange)
  const byCreation = new Map<Exchange, Run>()
  return {
    id,
    creation,
    exchanges,
    writes,
    isPrivate: creation !== undefined && exchanges.every(({ caller }) => caller === creation.caller),
    requests,
    runCreations,
    runs: [],
    byCreation,
    runOf: (creation) => byCreation.get(creation),
    hasUnknownEffects: creation?.intent === 'probe' || writes.some(isOdd),
    mayHaveOtherRuns: requests.some(isUnclear),
  }
}

/**
 * Returns those of the requests for runs of a thread that may have created one. The response to one with `reject` may show
 * an earlier run or none, because the thread was busy.
 */
function creationsAmong(requests: readonly Exchange[]): readonly Exchange[] {
  const effective = requests.filter(mayHaveEffect)
  const firstById = new Map(effective.toReversed().map((each) => [keyOf(createdRunId(each)), each]))
  return effective.filter((each) => {
    const id = keyOf(createdRunId(each))
    const first = id === undefined ? each.accepted && requests[0] : firstById.get(id)
    return !mayReject(each) || !first || first.sentAt >= each.sentAt
  })
}

/** Adds to threads the runs whose id no other creation shows, and returns them by id. */
function addRuns(threads: readonly GrowingThread[]): ReadonlyMap<string, Run> {
  const created = threads.flatMap((thread) =>
    thread.runCreations.map((creation) => ({ thread, creation, id: createdRunId(creation) ?? '' })),
  )
  const runs = new Map<string, Run>()
  for (const [key, [first, ...others]] of Map.groupBy(created, ({ id }) => id.toLowerCase())) {
    if (key === '' || first === undefined || others.length > 0) continue
    const run = { ...first, views: [], endShownAt: Infinity }
    runs.set(key, run)
    run.thread.runs.push(run)
    run.thread.byCreation.set(run.creation, run)
  }
  return runs
}

const mayReject = ({ operation, request }: Exchange): boolean =>
  operation === createRun && (textAt(request, 'multitask_strategy') ?? 'reject') === 'reject'

/** Whether a write may have changed something: it was accepted, or its response is not known. */
function mayHaveEffect(exchange: Exchange): boolean {
  const { accepted, fate, request, status = 0 } = exchange
  // How a service refuses runs with `reject` on a busy thread is unspecified.
  const isRefusal = mayReject(exchange) && (status === 503 || at(request, 'multitask_strategy') === 'reject')
  return accepted || fate !== 'answered' || (status >= 500 && !isRefusal)
}

/** Whether a write leaves its resource in a state that the trace does not show. */
function isOdd(exchange: Exchange): boolean {
  if (exchange.intent === 'probe') return true
  return mayHaveEffect(exchange) && (exchange.intent === 'fault' || !exchange.accepted)
}

/** The id of the run that a request created: from its record, or from the `metadata` event of a stream. */
function createdRunId(exchange: Exchange): string | undefined {
  if (exchange.operation === createRun) return textAt(exchange.json, 'run_id')
  const metadata = exchange.events.find(({ event }) => event === 'metadata')
  return metadata && textAt(parseJson(metadata.data), 'run_id')
}

/** The records of runs in a response. */
function viewsIn(
  exchange: Exchange,
  threads: ReadonlyMap<string, Thread>,
  runs: ReadonlyMap<string, Run>,
): readonly RunView[] {
  const { operation, params, json } = exchange
  const thread = threads.get(keyOf(params['thread_id']) ?? '')
  const view = (source: RunSource, run: Run | undefined, record: unknown, creation = run?.creation): RunView => {
    return { run, creation, thread, exchange, source, record }
  }
  if (operation === createRun) {
    if (returnedEarlier({ threads }, exchange)) return []
    return [view('creation', thread?.runOf(exchange), json, exchange)]
  }
  if (operation === 'GET /threads/{thread_id}/runs/{run_id}') {
    const run = runs.get(keyOf(at(json, 'run_id') ?? params['run_id']) ?? '')
    // A service may hide a run from other users with any response.
    const isHidden = at(json, 'run_id') === undefined && exchange.user !== (run?.creation.user ?? exchange.user)
    return isHidden ? [] : [view('read', run, json)]
  }
  if (operation !== 'GET /threads/{thread_id}/runs') return []
  // A list that shows the runs of other threads is one failure: the records are read where they belong.
  return listAt(json)
    .map((record) => view('list', runs.get(keyOf(at(record, 'run_id')) ?? ''), record))
    .filter(({ run }) => run === undefined || run.thread === thread)
}

function assistantsIn(exchanges: readonly Exchange[]): ReadonlyMap<string, Assistant> {
  const assistants = new Map<string, Assistant>()
  for (const creation of exchanges) {
    if (creation.operation !== 'POST /assistants' || !creation.accepted) continue
    const id = keyOf(at(creation.json, 'assistant_id'))
    if (id === undefined) continue
    const known = assistants.get(id)
    const isAmbiguous = known !== undefined && !isDeepStrictEqual(known.creation.request, creation.request)
    if (known === undefined || isAmbiguous) assistants.set(id, { creation: known?.creation ?? creation, isAmbiguous })
  }
  return assistants
}

/** Default assistants: those marked as such, and those that run where a request names a graph. */
function defaultAssistantsIn(
  model: EndpointModel & Pick<DeploymentModel, 'threads'>,
  created: ReadonlyMap<string, Assistant>,
): ReadonlyMap<string, string> {
  const { endpoint, of } = model
  const names = new Set<unknown>([...Object.values(endpoint.graphs), endpoint.anyGraph])
  const defaults = new Map<string, string>()
  const note = (assistant: unknown, graph: unknown) => {
    const id = keyOf(assistant)
    if (id !== undefined && typeof graph === 'string' && !created.has(id)) defaults.set(id, graph)
  }
  for (const { json } of [...of('POST /assistants/search'), ...of('GET /assistants/{assistant_id}')]) {
    for (const assistant of Array.isArray(json) ? json : [json]) {
      if (isDefaultAssistant(assistant)) note(at(assistant, 'assistant_id'), at(assistant, 'graph_id'))
    }
  }
  // The mark takes precedence over runs that name the graph.
  const marked = new Set(defaults.values())
  for (const exchange of of(createRun)) {
    const { request, json } = exchange
    if (returnedEarlier(model, exchange)) continue
    const name = textAt(request, 'assistant_id') ?? ''
    if (names.has(name) && !marked.has(name)) note(at(json, 'assistant_id'), name)
  }
  return defaults
}
