import type { TestGraph } from '../values/test-graphs.ts'
import type { EventStream } from './event-stream.ts'
import type { ApiResponse, Http } from './http.ts'
import type { RunRequest } from './run-request.ts'

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
