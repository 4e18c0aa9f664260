import { setTimeout } from 'node:timers/promises'
import { isObject, isUuid } from '../catalog/facts.ts'
import { at, describeMissing, show, textAt } from '../values/json.ts'
import { isSleeping } from '../values/messages.ts'
import { isExecuting, isUnknown } from '../values/run-status.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { Inconclusive, ignoreLoss, Stopped, unexpectedResponse } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import type { ApiResponse, Http } from './http.ts'
import { type RunRequest, runBody } from './run-request.ts'
import type { Session } from './session.ts'
import { recordRead, recordStart } from './sleep.ts'
import { hasEvents, readToEnd } from './stream-end.ts'
import { pollEnd } from './waiting.ts'

/** A run that has ended. */
interface EndedRun {
  readonly threadId: string
  readonly runId: string
  readonly run: unknown
}

/** A run of the graph `slow` that sleeps for `ms` milliseconds. */
interface SleepingRun {
  readonly threadId: string
  readonly runId: string
  readonly text: string
  readonly ms: number
}

/** Client of the deployment API as one user. Methods throw `Stopped` if the response cannot be used. */
export interface Deployment {
  readonly http: Http
  /** Sends `POST /threads`, by default with an empty object. */
  createThread(body?: unknown): Promise<unknown>
  /** Creates a thread and returns its id. */
  thread(): Promise<string>
  /** Creates a run and returns its id. */
  startRun(threadId: string, request: RunRequest): Promise<string>
  getRun(threadId: string, runId: string): Promise<unknown>
  /**
   * Lists the runs of a thread. If the response may be only the first page, asks again with a limit that is higher than the
   * number of runs that a scenario creates.
   */
  listRuns(threadId: string): Promise<readonly unknown[]>
  /** Lists the runs of a thread with a limit of 100, or the highest one below that the server accepts. */
  listLongPage(threadId: string): Promise<ApiResponse>
  state(threadId: string): Promise<unknown>
  /** Creates a run and returns the stream of its events. */
  stream(threadId: string, request: RunRequest): Promise<EventStream>
  /** Creates an assistant of a test graph, by default with a config that no other assistant has. */
  createAssistant(graph: TestGraph | 'any', config?: object): Promise<unknown>
  /** Creates an assistant like `createAssistant` and returns its id. */
  assistant(graph: TestGraph | 'any', config?: object): Promise<string>
  searchAssistants(page: { readonly limit: number; readonly offset: number }): Promise<readonly unknown[]>
  getAssistant(assistantId: string): Promise<unknown>
  /** Polls a run until it has ended. */
  waitForEnd(threadId: string, runId: string): Promise<unknown>
  /** Creates a run, by default on a new thread, and polls it until it has ended. */
  runToEnd(request: RunRequest, threadId?: string): Promise<EndedRun>
  /**
   * Polls a run of the graph `slow` until it sleeps: the state contains its first message, and the run executes. Waits for
   * a quarter of its sleep if the states of the server show only runs that have ended.
   *
   * @throws Inconclusive if the run ended before a state showed that
   */
  untilSleeping(run: SleepingRun): Promise<void>
  /** Returns an assistant of the graph `slow` that sleeps for `ms` milliseconds, by default `budgets.slowMs`. */
  slowAssistant(ms?: number): Promise<string>
  /** Creates a run and reads the stream of its events to the end. */
  streamToEnd(threadId: string, request: RunRequest): Promise<EventStream>
}

/** Creates a client of the deployment API. */
export function createDeployment(http: Http, session: Session): Deployment {
  /** Returns the JSON of a response that has a 2xx status and passes a test. Otherwise throws `Stopped`. */
  const needed = <T>(response: ApiResponse, expected: string, test: (json: unknown) => json is T): T => {
    if (response.ok && test(response.json)) return response.json
    throw unexpectedResponse(response, expected)
  }
  const api: Deployment = {
    http,
    createThread: async (body = {}) =>
      needed(await http.send({ method: 'POST', path: '/threads', body }), 'a 2xx response with JSON', isJson),
    thread: async () => idOf(await api.createThread(), 'thread_id'),
    async startRun(threadId, request) {
      const path = `/threads/${threadId}/runs`
      const response = await http.send({ method: 'POST', path, body: runBody(session, request) })
      const run = needed(response, 'a 2xx response with a run', isObject)
      const id = idOf(run, 'run_id')
      if (isExecuting(run)) session.inFlight.add(id)
      return id
    },
    async getRun(threadId, runId) {
      const response = await http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })
      const run = needed(response, 'a 2xx response with a run', isObject)
      const shownId = at(run, 'run_id')
      if (!isUuid(shownId) || !isUuid(runId) || shownId.toLowerCase() === runId.toLowerCase()) return run
      throw new Stopped(`expected the run ${runId}, received ${shownId}`, response)
    },
    async listRuns(threadId) {
      const path = `/threads/${threadId}/runs`
      const runs = needed(await http.send({ method: 'GET', path }), 'a 2xx response with an array', Array.isArray)
      // Page parameters are not documented: they are used only if the list may be a page.
      const all = runs.length < smallestPage ? undefined : await api.listLongPage(threadId)
      return all?.ok && Array.isArray(all.json) ? all.json : runs
    },
    listLongPage: (threadId) =>
      longestPage(session, 'runs', 100, (limit) =>
        http.send({ method: 'GET', path: `/threads/${threadId}/runs?limit=${limit}` }),
      ),
    async state(threadId) {
      const response = await http.send({ method: 'GET', path: `/threads/${threadId}/state` })
      return needed(response, 'a 2xx response with a state', isObject)
    },
    async stream(threadId, request) {
      const path = `/threads/${threadId}/runs/stream`
      const stream = await http.stream({ method: 'POST', path, body: runBody(session, request) })
      if (stream.status >= 200 && stream.status < 300 && (await hasEvents(stream))) return stream
      await stream.ended
      throw unexpectedResponse({ ...stream, text: stream.raw() }, 'a 2xx response with events')
    },
    async createAssistant(graph, config = uniqueConfig()) {
      const body = { graph_id: session.graph(graph), config }
      const response = await http.send({ method: 'POST', path: '/assistants', body })
      return needed(response, 'a 2xx response with an assistant', isObject)
    },
    assistant: async (graph, config) => idOf(await api.createAssistant(graph, config), 'assistant_id'),
    async searchAssistants({ limit, ...page }) {
      const response = await longestPage(session, 'assistants', limit, (size) =>
        http.send({ method: 'POST', path: '/assistants/search', body: { ...page, limit: size } }),
      )
      return needed(response, 'a 2xx response with an array', Array.isArray)
    },
    async getAssistant(assistantId) {
      const response = await http.send({ method: 'GET', path: `/assistants/${assistantId}` })
      return needed(response, 'a 2xx response with an assistant', isObject)
    },
    async waitForEnd(threadId, runId) {
      const kind = session.streamed.has(runId) ? 'streamed-run' : 'run'
      const ended = await pollEnd(session, kind, async () => {
        const run = await api.getRun(threadId, runId)
        if (!stillExecutes(run)) return run
        // The return of a join shows that a status that is not known is final.
        if (!isUnknown(run)) return undefined
        const join = { method: 'GET', path: `/threads/${threadId}/runs/${runId}/join` } as const
        const joined = await http.send(join).catch(ignoreLoss)
        return joined?.ok ? await api.getRun(threadId, runId) : undefined
      }).finally(() => session.inFlight.delete(runId))
      if (ended !== undefined) return ended
      throw new Stopped('expected the run to end within budgets.waitMs, received a run that still executes', {
        requirement: 'run.status.ends',
      })
    },
    async runToEnd(request, usedThread) {
      const threadId = usedThread ?? (await api.thread())
      const runId = await api.startRun(threadId, request)
      return { threadId, runId, run: await api.waitForEnd(threadId, runId) }
    },
    async untilSleeping({ threadId, runId, text, ms }) {
      const { progress } = session
      if (progress.steps === 'hidden') return void (await setTimeout(ms / 4))
      const readState = () => http.send({ method: 'GET', path: `/threads/${threadId}/state` })
      const startedAt = performance.now()
      const end = await pollEnd(session, 'step', async () => {
        const sentAt = performance.now()
        const state = await readState()
        const readMs = performance.now() - sentAt
        const isShown = isSleeping(state.json, text)
        if (!isShown && !stillExecutes(await api.getRun(threadId, runId))) return 'ended'
        // A read that waited for the end of the run took no time of its own.
        recordRead(session, readMs)
        return isShown ? 'sleeping' : undefined
      })
      const missed = () => {
        if (progress.steps === 'unknown') progress.steps = 'missed'
      }
      if (end === 'sleeping') {
        // A server that writes all steps at the end of a run, one after another, shows the first ones just before.
        const startMs = performance.now() - startedAt
        if (startMs >= ms / 2) return missed()
        progress.steps = 'shown'
        return recordStart(session, startMs)
      }
      // A thread may have no state before the end of its first run.
      const state = await readState()
      if (!state.ok) throw unexpectedResponse(state, 'a 2xx response with a state')
      if (!Array.isArray(at(state.json, 'values', 'messages') ?? [])) {
        const requirement = 'state.values.messages.type'
        throw new Stopped('expected the messages of the state to be an array', { ...state, requirement })
      }
      missed()
      const unlock = 'increase budgets.slowMs, or show finished steps in the state while a run executes'
      throw new Inconclusive(
        'expected the thread state to show a finished step while the graph slow executes, received none',
        unlock,
      )
    },
    slowAssistant: (ms = session.budgets.slowMs) =>
      // An owner filter may hide the assistant from other users.
      session.memoize(`slow ${ms} of ${http.user}`, async () => {
        session.progress.sleepMs = Math.max(session.progress.sleepMs, ms)
        return api.assistant('slow', { configurable: { ...uniqueConfig().configurable, delay_ms: ms } })
      }),
    async streamToEnd(threadId, request) {
      const stream = await readToEnd(session, await api.stream(threadId, request))
      if ((await stream.find(() => true)) !== undefined) return stream
      throw new Stopped('expected a stream with events, received one without', stream)
    },
  }
  return api
}

/** Length of the shortest list that may be a page: the smallest default limit of known servers. */
const smallestPage = 10

/** Sends a request with a limit. The specification shows no largest page: a smaller one may be accepted. */
async function longestPage(
  { progress: { largestLimits } }: Session,
  list: 'assistants' | 'runs',
  limit: number,
  send: (limit: number) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const first = Math.min(limit, largestLimits[list])
  for (let size = first; ; size = Math.floor(size / 2)) {
    const response = await send(size)
    const isRefused = response.status >= 400 && response.status < 500 && response.status !== 401
    if (isRefused && size > 1) continue
    // The refusal of a small page probably has another reason than its size.
    if (response.ok && size < first && first >= smallestPage) largestLimits[list] = size
    return response
  }
}

/**
 * Returns the id of an object.
 *
 * @throws Stopped if it is not a string
 */
function idOf(object: unknown, key: 'thread_id' | 'run_id' | 'assistant_id'): string {
  const id = textAt(object, key)
  if (id !== undefined) return id
  throw new Stopped(`expected a string as ${key}, received ${describeMissing(key, object)}`)
}

function isJson(json: unknown): json is unknown {
  return json !== undefined
}

/**
 * Whether a run has not ended.
 *
 * @throws Stopped if it has no status
 */
export function stillExecutes(run: unknown): boolean {
  if (textAt(run, 'status') !== undefined) return isExecuting(run)
  throw new Stopped(`expected a run with a status, received ${show(run, 300)}`)
}

/** Returns a config that no other assistant has. */
export function uniqueConfig(): { readonly configurable: { readonly touchstone_marker: string } } {
  return { configurable: { touchstone_marker: crypto.randomUUID() } }
}
