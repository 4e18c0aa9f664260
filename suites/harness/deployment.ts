import { isObject, isUuid } from '../requirements/facts.ts'
import type { RequirementId } from '../requirements/generated/ids.ts'
import { searchPages } from './assistants.ts'
import { CouldNotRun, Refused } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import type { Answer, Http } from './http.ts'
import { at, show, textAt } from './json.ts'
import type { KitGraph } from './manifest.ts'
import { sleepsIn } from './messages.ts'
import { refusal } from './refusal.ts'
import { assistantRefusedBy } from './refused-assistant.ts'
import { acceptedBy, refusedBy } from './refused-run.ts'
import { streamRefusedBy } from './refused-stream.ts'
import type { Session } from './session.ts'
import { bringsEvents, sound } from './sound-stream.ts'
import { threadState } from './thread-state.ts'
import { poll } from './waiting.ts'

/** What a run is created with. `graph` is a name of the kit; `assistantId` takes its place. */
export interface RunRequest {
  readonly graph?: KitGraph | 'any'
  readonly assistantId?: string
  /** Content of one human message. */
  readonly text?: string
  /** Whole input, in place of `text`. */
  readonly input?: unknown
  readonly strategy?: 'reject' | 'enqueue' | 'interrupt'
  readonly streamMode?: readonly string[]
}

/** A run that has ended, on its thread. */
interface EndedRun {
  readonly threadId: string
  readonly runId: string
  readonly run: unknown
}

/** The deployment API as one user sees it. Every call that a server must accept blames its own row when it is refused. */
export interface Deployment {
  readonly http: Http
  /** POST /threads with an empty object, or with what is given. */
  createThread(body?: unknown): Promise<unknown>
  /** Makes a thread and returns its id. */
  thread(): Promise<string>
  createRun(threadId: string, request: RunRequest): Promise<unknown>
  /** Creates a run and returns its id. */
  startRun(threadId: string, request: RunRequest): Promise<string>
  getRun(threadId: string, runId: string): Promise<unknown>
  /** GET /threads/{thread_id}/runs, with a limit that holds all runs of a check. */
  listRuns(threadId: string): Promise<readonly unknown[]>
  join(threadId: string, runId: string): Promise<Answer>
  state(threadId: string): Promise<unknown>
  stream(threadId: string, request: RunRequest): Promise<EventStream>
  createAssistant(graphId: string, body?: Record<string, unknown>): Promise<unknown>
  searchAssistants(body: Record<string, unknown>): Promise<readonly unknown[]>
  getAssistant(assistantId: string): Promise<unknown>
  /** The default assistant of a graph, looked for through all pages. */
  defaultAssistant(graph: KitGraph | 'any'): Promise<unknown>
  /** Polls until the run has ended; never through join. */
  settle(threadId: string, runId: string): Promise<unknown>
  /** Makes a thread, runs a graph on it and waits for the end. */
  ended(request: RunRequest): Promise<EndedRun>
  /**
   * Waits until the graph `slow` sleeps: its first message stands in the state while the run still executes. Returns the
   * newest time (`performance.now()`) at which it was seen not to sleep yet.
   */
  untilSleeping(threadId: string, runId: string, text: string): Promise<number | undefined>
  /** An assistant of the graph `slow` that sleeps as long as the manifest says. */
  slow(ms?: number): Promise<string>
  /** Reads a stream to its end; one that breaks off or is framed wrongly blames the row that says so. */
  streamed(threadId: string, request: RunRequest): Promise<EventStream>
}

/** Statuses of runs that have ended: those of the document, and the public ones of failure. Any other may still change. */
const final = new Set(['success', 'interrupted', 'error', 'timeout', 'failed', 'cancelled', 'canceled', 'completed'])

/** The id that an object carries; one without is of no further use, and the row of that field says so. */
export function idOf(
  object: unknown,
  field: 'thread.fields.thread_id' | 'run.fields.run_id' | 'assistant.fields.assistant_id',
): string {
  const id = at(object, field.split('.').at(-1) ?? '')
  if (typeof id === 'string') return id
  throw new Refused(`${field}.${id === undefined ? 'present' : 'type'}`, 'a string id', show(object, 300))
}

/** Whether a run's status says that it has not ended. */
export function isExecuting(run: unknown): boolean {
  const status = textAt(run, 'status')
  return status !== undefined && !final.has(status)
}

/** Whether a run has not ended; one without a status tells nothing, and the row of that field says so. */
function stillExecutes(run: unknown): boolean {
  const status = at(run, 'status')
  if (typeof status === 'string') return isExecuting(run)
  if (!isObject(run)) throw new Refused('run.get.answers-run', 'a run', show(run, 300))
  throw new Refused(`run.fields.status.${status === undefined ? 'present' : 'type'}`, 'a status', show(run, 300))
}

/** Body of a run's creation. */
export function runBody(session: Session, request: RunRequest): Record<string, unknown> {
  const { graph = 'echo', assistantId = session.graph(graph), text = 'hello', strategy, streamMode } = request
  return {
    assistant_id: assistantId,
    input: 'input' in request ? request.input : { messages: [{ role: 'human', content: text }] },
    ...(strategy === undefined ? {} : { multitask_strategy: strategy }),
    ...(streamMode === undefined ? {} : { stream_mode: streamMode }),
  }
}

/** Wraps an HTTP client into the operations of the document. */
export function createDeployment(http: Http, session: Session): Deployment {
  const accepted = async (row: RequirementId, answer: Promise<Answer>): Promise<unknown> => {
    const got = await answer
    if (got.ok) return got.json
    throw refusal(session, row, got)
  }
  const list = async (row: RequirementId, answer: Promise<Answer>): Promise<readonly unknown[]> => {
    const json = await accepted(row, answer)
    if (!Array.isArray(json)) throw new Refused(row, 'an array', show(json, 300))
    return json
  }
  const track = (run: unknown): unknown => {
    const id = textAt(run, 'run_id')
    if (id !== undefined && isExecuting(run)) session.inFlight.add(id)
    return run
  }
  const untrackEnded = (run: unknown): unknown => {
    const id = textAt(run, 'run_id')
    if (id !== undefined && !isExecuting(run)) session.inFlight.delete(id)
    return run
  }
  const api: Deployment = {
    http,
    async createThread(body = {}) {
      const answer = http.send({ method: 'POST', path: '/threads', body })
      const thread = await accepted('thread.create.accepts-empty-object', answer)
      if (thread !== undefined) return thread
      throw new Refused('thread.create.answers-json', 'JSON', show((await answer).text, 300))
    },
    thread: async () => idOf(await api.createThread(), 'thread.fields.thread_id'),
    createRun: async (threadId, request) => {
      const path = `/threads/${threadId}/runs`
      const row = acceptedBy[request.strategy ?? 'none']
      const answer = await http.send({ method: 'POST', path, body: runBody(session, request) })
      if (answer.ok && isObject(answer.json)) return track(answer.json)
      const blamed = answer.ok ? 'run.create.answers-run' : await refusedBy(api, session, request, row)
      throw refusal(session, blamed, answer, 'a 2xx answer with a run')
    },
    startRun: async (threadId, request) => idOf(await api.createRun(threadId, request), 'run.fields.run_id'),
    async getRun(threadId, runId) {
      const path = `/threads/${threadId}/runs/${runId}`
      const run = await accepted('run.get.answers-run', http.send({ method: 'GET', path }))
      const named = at(run, 'run_id')
      if (!isUuid(named) || !isUuid(runId) || named.toLowerCase() === runId.toLowerCase()) return run
      throw new Refused('run.get.named-run', `the run ${runId}`, named)
    },
    async listRuns(threadId) {
      const ask = (id: string) => http.send({ method: 'GET', path: `/threads/${id}/runs?limit=100` })
      const answer = await ask(threadId)
      if (answer.ok && Array.isArray(answer.json)) return answer.json.map(untrackEnded)
      const filled = await session.once('list of a thread with a run', async () =>
        ask((await api.ended({ graph: 'any' })).threadId),
      )
      // Where that list is sound, it is the one without runs that is not.
      const row = filled.ok && Array.isArray(filled.json) ? 'run.list.empty' : 'run.list.answers-array'
      throw refusal(session, row, answer, 'an array')
    },
    join: async (threadId, runId) => {
      const answer = await http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}/join` })
      await accepted('run.join.answers', Promise.resolve(answer))
      return answer
    },
    state: (threadId) => threadState(api, session, threadId),
    async stream(threadId, request) {
      const body = runBody(session, request)
      const stream = await http.stream({ method: 'POST', path: `/threads/${threadId}/runs/stream`, body })
      const accepted = stream.status >= 200 && stream.status < 300
      if (accepted && (await bringsEvents(stream))) return stream
      await stream.ended
      const row = accepted ? 'stream.create.answers-stream' : await streamRefusedBy(api, session, request)
      throw refusal(session, row, { status: stream.status, text: stream.raw() }, 'a 2xx answer with events')
    },
    async createAssistant(graphId, body = {}) {
      const answer = await http.send({ method: 'POST', path: '/assistants', body: { graph_id: graphId, ...body } })
      if (answer.ok && isObject(answer.json)) return answer.json
      const row = answer.ok
        ? 'assistant.create.answers-assistant'
        : await assistantRefusedBy(http, session, 'config' in body)
      throw refusal(session, row, answer, 'a 2xx answer with an assistant')
    },
    searchAssistants: (body) =>
      list('assistant.search.answers-array', http.send({ method: 'POST', path: '/assistants/search', body })),
    async getAssistant(assistantId) {
      const answer = await http.send({ method: 'GET', path: `/assistants/${assistantId}` })
      if (answer.ok && isObject(answer.json)) return answer.json
      throw refusal(session, 'assistant.get.answers-assistant', answer, 'a 2xx answer with an assistant')
    },
    async defaultAssistant(graph) {
      const name = session.graph(graph)
      const pages = await searchPages(api, () => 100)
      return pages
        .flatMap(({ page }) => page)
        .find((one) => at(one, 'graph_id') === name && at(one, 'metadata', 'created_by') === 'system')
    },
    async settle(threadId, runId) {
      const ended = await poll(session, async () => {
        const run = await api.getRun(threadId, runId)
        return stillExecutes(run) ? undefined : run
      })
      // One that does not end is waited for once: it makes no other wait longer.
      session.inFlight.delete(runId)
      if (ended !== undefined) return ended
      throw new Refused('run.status.ends', 'the run to end within budgets.waitMs', 'a run that still executes')
    },
    async ended(request) {
      const threadId = await api.thread()
      const runId = await api.startRun(threadId, request)
      return { threadId, runId, run: await api.settle(threadId, runId) }
    },
    async untilSleeping(threadId, runId, text) {
      let awakeAt: number | undefined
      const seen = await poll(session, async () => {
        const asked = performance.now()
        const { json } = await http.send({ method: 'GET', path: `/threads/${threadId}/state` })
        if (sleepsIn(json, text)) return 'sleeping'
        awakeAt = asked
        return stillExecutes(await api.getRun(threadId, runId)) ? undefined : 'ended'
      })
      if (seen === 'sleeping') return awakeAt
      const unlock = 'a longer budgets.slowMs, or a state that shows finished steps while a run executes'
      throw new CouldNotRun('no step of the graph slow was seen in the state while it ran', unlock)
    },
    slow: (ms = session.budgets.slowMs) =>
      session.once(`slow ${ms}`, async () => {
        const config = { configurable: { delay_ms: ms } }
        const assistant = await api.createAssistant(session.graph('slow'), { config })
        return idOf(assistant, 'assistant.fields.assistant_id')
      }),
    async streamed(threadId, request) {
      return sound(session, await api.stream(threadId, request))
    },
  }
  return api
}
