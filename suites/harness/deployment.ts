import type { EventStream } from './event-stream.ts'
import type { Http } from './http.ts'
import type { TestGraph } from './manifest.ts'
import type { RunRequest } from './run-request.ts'

/** A run that has ended, on its thread. */
interface EndedRun {
  readonly threadId: string
  readonly runId: string
  readonly run: unknown
}

/** The deployment API as one user sees it. Every call that a server must accept names the requirement that it is accepted. */
export interface Deployment {
  readonly http: Http
  /** POST /threads with an empty object, or with what is given. */
  createThread(body?: unknown): Promise<unknown>
  /** Makes a thread and returns its id. */
  thread(): Promise<string>
  /** Creates a run and returns its id. */
  startRun(threadId: string, request: RunRequest): Promise<string>
  getRun(threadId: string, runId: string): Promise<unknown>
  /** GET /threads/{thread_id}/runs, with a limit that holds all runs of a scenario. */
  listRuns(threadId: string): Promise<readonly unknown[]>
  state(threadId: string): Promise<unknown>
  /** Starts a stream; throws Inconclusive where it is refused. */
  stream(threadId: string, request: RunRequest): Promise<EventStream>
  createAssistant(graphId: string, body?: Record<string, unknown>): Promise<unknown>
  searchAssistants(page: { readonly limit: number; readonly offset: number }): Promise<readonly unknown[]>
  getAssistant(assistantId: string): Promise<unknown>
  /** The default assistant of a graph, looked for through all pages. */
  defaultAssistant(graph: TestGraph | 'any'): Promise<unknown>
  /** Polls until the run has ended; never through join. */
  settle(threadId: string, runId: string): Promise<unknown>
  /** Makes a thread, runs a graph on it and waits for the end. */
  ended(request: RunRequest): Promise<EndedRun>
  /** Waits until the graph `slow` sleeps: its first message is in the state while the run still executes. */
  untilSleeping(threadId: string, runId: string, text: string): Promise<void>
  /** An assistant of the graph `slow` that sleeps as long as the manifest says. */
  slow(ms?: number): Promise<string>
  /** Reads a stream to its end. */
  streamed(threadId: string, request: RunRequest): Promise<EventStream>
}
