import { appendMessages, type MessageReducer } from '../graphs/values.ts'
import { type Page, takePage } from '../http/page.ts'
import type { Clock } from '../runtime/clock.ts'
import { createIds, type IdFactory } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import { type AuthEngine, createAuthEngine } from './auth/engine.ts'
import { matches } from './auth/filter.ts'
import type { AuthFilter, AuthHandlers } from './auth/types.ts'
import { type MakeWay, multitask } from './multitask.ts'
import { presentAssistant } from './present/assistant.ts'
import type { Presenter } from './present/presenter.ts'
import { presentOutcome, presentRun } from './present/run.ts'
import { presentState, type StatePresenter } from './present/state.ts'
import { presentThread } from './present/thread.ts'
import type { Assistant, Run, RunKwargs, Thread } from './records.ts'
import { type InputFault, noInputFault } from './runs/input.ts'
import { type RunContext, runKwargs } from './runs/kwargs.ts'
import { type ChooseNext, oneByOne } from './runs/lane.ts'
import { type ThreadStatusAfter, threadStatusAfter } from './runs/runner.ts'
import type { MultitaskStrategy } from './schemas/fields.ts'
import type { RunCreate } from './schemas/requests.ts'
import { appendCheckpoint, type SaveCheckpoint } from './state/checkpoint.ts'
import { newestCheckpoint, type StateView } from './state/view.ts'
import { type ListRuns, listRuns } from './store/list-runs.ts'
import type { Ordered } from './store/ordered.ts'
import type { Subscribe } from './stream/frames.ts'
import { renderings } from './stream/renderings.ts'
import { subscribe } from './stream/subscribe.ts'
import type { Renderings } from './stream/wire-event.ts'

/** The parts of the server that can be replaced one by one: each is a policy of its own. */
export interface Parts {
  readonly createIds: (clock: Clock, random: Random) => IdFactory
  readonly createAuth: (handlers: AuthHandlers | undefined) => AuthEngine
  /** Whether a filter lets metadata pass at an endpoint, such as `GET /threads/:thread_id/state`. */
  readonly permits: (filter: AuthFilter, metadata: Readonly<Record<string, unknown>>, endpoint: string) => boolean
  readonly runKwargs: (request: RunCreate, context: RunContext) => RunKwargs
  /** The strategy of a run that names none. */
  readonly defaultStrategy: MultitaskStrategy
  readonly multitask: Readonly<Record<MultitaskStrategy, MakeWay>>
  /** Which queued run of a thread starts next. */
  readonly chooseNext: ChooseNext
  readonly reduceMessages: MessageReducer
  readonly saveCheckpoint: SaveCheckpoint
  readonly threadStatusAfter: ThreadStatusAfter
  readonly stateView: StateView
  /** The items of a thread, or of the whole server, in the order in which lists show them. */
  readonly listOrder: <T>(items: Ordered<T>) => Iterable<T>
  readonly takePage: <T>(items: Iterable<T>, page: Page) => T[]
  readonly listRuns: ListRuns
  readonly inputFault: InputFault
  /** Resolves when a run has ended. */
  readonly joinWait: (run: Run) => Promise<void>
  readonly subscribe: Subscribe
  readonly renderings: Renderings
  readonly presentThread: Presenter<Thread>
  readonly presentRun: Presenter<Run>
  readonly presentAssistant: Presenter<Assistant>
  readonly presentState: StatePresenter
  readonly presentOutcome: Presenter<Run>
}

/** The parts of a server that follows the document. */
export const defaultParts: Parts = {
  createIds,
  createAuth: createAuthEngine,
  permits: matches,
  runKwargs,
  defaultStrategy: 'reject',
  multitask,
  chooseNext: oneByOne,
  reduceMessages: appendMessages,
  saveCheckpoint: appendCheckpoint,
  threadStatusAfter,
  stateView: newestCheckpoint,
  listOrder: (items) => items.newestFirst(),
  takePage,
  listRuns,
  inputFault: noInputFault,
  joinWait: (run) => run.log.finished(),
  subscribe,
  renderings,
  presentThread,
  presentRun,
  presentAssistant,
  presentState,
  presentOutcome,
}
