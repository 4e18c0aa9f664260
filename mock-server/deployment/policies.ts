import { appendMessages, type MessageReducer } from '../graphs/values.ts'
import type { Clock } from '../runtime/clock.ts'
import { createIds, type IdFactory } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import { type AuthEngine, createAuthEngine } from './auth/engine.ts'
import { matches } from './auth/filter.ts'
import type { AuthFilter, AuthHandlers } from './auth/handlers.ts'
import type { Dialect } from './dialect.ts'
import { type ApplyStrategy, multitask } from './multitask.ts'
import {
  type Presenter,
  presentAssistant,
  presentItem,
  presentItemFound,
  presentOutcome,
  presentRun,
  presentThread,
} from './present/records.ts'
import { presentState, type StatePresenter } from './present/state.ts'
import { presentWebhook, type WebhookPresenter } from './present/webhook.ts'
import type { Assistant, Run, RunKwargs, Thread } from './records.ts'
import { type InputFault, noInputFault } from './runs/input.ts'
import { type RunContext, runKwargs } from './runs/kwargs.ts'
import { type ChooseNext, oneAtATime } from './runs/thread-queue.ts'
import type { MultitaskStrategy } from './schemas/fields.ts'
import type { RunCreate } from './schemas/requests.ts'
import { appendCheckpoint, newestCheckpoint, type SaveCheckpoint, type StateView } from './state/checkpoint.ts'
import type { Item } from './store/items.ts'
import { type ListRuns, listRuns } from './store/store.ts'
import { renderings } from './stream/renderings.ts'
import type { Renderings } from './stream/wire-event.ts'

/** The policies of the LangGraph Server API. Each can be replaced. */
export interface Policies {
  readonly createIds: (clock: Clock, random: Random) => IdFactory
  readonly createAuth: (handlers: AuthHandlers | undefined) => AuthEngine
  /** Whether metadata matches a filter at an endpoint, such as `GET /threads/{thread_id}/state`. */
  readonly permits: (filter: AuthFilter, metadata: Readonly<Record<string, unknown>>, endpoint: string) => boolean
  readonly runKwargs: (request: RunCreate, context: RunContext) => RunKwargs
  readonly multitask: Readonly<Record<MultitaskStrategy, ApplyStrategy>>
  /** Chooses the queued run of a thread to start next. */
  readonly chooseNext: ChooseNext
  readonly reduceMessages: MessageReducer
  readonly saveCheckpoint: SaveCheckpoint
  readonly stateView: StateView
  readonly listRuns: ListRuns
  readonly inputFault: InputFault
  readonly renderings: Renderings
  readonly presentThread: Presenter<Thread>
  readonly presentRun: Presenter<Run>
  readonly presentAssistant: Presenter<Assistant>
  readonly presentItem: Presenter<Item>
  readonly presentItemFound: Presenter<Item>
  readonly presentState: StatePresenter
  readonly presentOutcome: Presenter<Run>
  readonly presentWebhook: WebhookPresenter
}

/** The policies of a server that follows the specification. */
export const defaultPolicies: Policies = {
  createIds,
  createAuth: createAuthEngine,
  permits: matches,
  runKwargs,
  multitask,
  chooseNext: oneAtATime,
  reduceMessages: appendMessages,
  saveCheckpoint: appendCheckpoint,
  stateView: newestCheckpoint,
  listRuns,
  inputFault: noInputFault,
  renderings,
  presentThread,
  presentRun,
  presentAssistant,
  presentItem,
  presentItemFound,
  presentState,
  presentOutcome,
  presentWebhook,
}

/** A dialect with the policies that it replaces. */
export interface DialectWithPolicies extends Dialect {
  readonly policies: Partial<Policies>
}
