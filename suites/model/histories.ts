import { at, listAt } from '../values/json.ts'
import { textOf } from '../values/messages.ts'
import { isExecuting } from '../values/run-status.ts'
import { nodeUpdates } from '../values/stream-data.ts'
import { delayOf, earliestEnd, earliestEndAlone, inTimeUntil, showsStep, stateReads } from './bounds.ts'
import { type DeploymentModel, type Run, type Thread, threadOf, threadStates } from './deployment.ts'
import { select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { testGraphOf } from './graphs.ts'
import { createRun } from './operations.ts'
import { createdBy, finalStatus, hadEnded, mayBeBusy } from './run-ends.ts'
import { countWhile } from './sorted.ts'
import { inputText, outputsOf, type Turn, turnOf } from './test-graphs.ts'

const strategies = ['enqueue', 'interrupt', 'reject'] as const

export type Strategy = (typeof strategies)[number]

/** A turn on a thread, with the end that the strategies of the thread require. */
export interface StrategyTurn extends Turn {
  /** Text of the newest input message; undefined unless all messages have a text and the role `human`. */
  readonly input: string | undefined
  /** Texts of all input messages; empty if `input` is undefined. */
  readonly inputs: readonly string[]
  readonly strategy: Strategy | undefined
  /** How the run must end; `unknown` if that is unspecified or the trace does not show it. */
  readonly requiredEnd: 'success' | 'interrupted' | 'unknown'
  /** Whether it must succeed, and did. */
  readonly isDone: boolean
  /** Whether another run may have been active when the run was created. */
  readonly isOnBusyThread: boolean
  /** If the run must be interrupted: the response that shows that it had begun, and the request that interrupted it. */
  readonly interruption?: { readonly before: Exchange; readonly by: Exchange }
}

/** The runs of a thread without unknown effects, in the order of their creation. */
export interface History {
  readonly thread: Thread
  /** Strategy of all requests to create a run; `mixed` if they differ or one names none. */
  readonly strategy: Strategy | 'mixed'
  readonly turns: readonly StrategyTurn[]
  /** Whether creations overlap, so that the order of the runs is unknown. */
  readonly isConcurrent: boolean
  /** Index of the first run that was created after two or more others had ended; -1 without one. */
  readonly firstOnUsedThread: number
  /** Whether no two runs have the same input. */
  readonly isUnique: boolean
}

/** Whether a run may have been created while another one was active. */
export function hasConcurrentRuns({ turns }: Pick<History, 'turns'>): boolean {
  return turns.some(({ isOnBusyThread }) => isOnBusyThread)
}

/** Returns the strategy of a request to create a run. */
export function strategyOf({ request }: Exchange): Strategy | undefined {
  return strategies.find((strategy) => at(request, 'multitask_strategy') === strategy)
}

/** Selects the histories of all threads whose runs are known. */
export function* histories(model: DeploymentModel): Iterable<History> {
  for (const thread of model.threads.values()) {
    const { runs, runCreations } = thread
    if (runs.length === 0 || thread.hasUnknownEffects || runCreations.length > runs.length || !thread.isPrivate)
      continue
    const all = new Set(thread.requests.map(strategyOf))
    const [strategy] = all
    const turns = runs.map((run) => strategyTurnOf(model, run))
    yield {
      thread,
      strategy: all.size === 1 && strategy !== undefined ? strategy : 'mixed',
      turns,
      isConcurrent: overlap(runCreations),
      firstOnUsedThread: runs.findIndex(
        ({ creation }, index) =>
          index > 1 && runs.every((each, other) => other >= index || hadEnded(each, creation.sentAt)),
      ),
      isUnique: new Set(runs.map(({ creation }) => inputText(creation.request))).size === turns.length,
    }
  }
}

/** Whether some of several creations of runs, in the order in which they were sent, overlap. */
function overlap(creations: readonly Exchange[]): boolean {
  let latest = 0
  return creations.some((creation) => {
    const overlaps = creation.sentAt < latest
    latest = Math.max(latest, createdBy(creation))
    return overlaps
  })
}

function strategyTurnOf(model: DeploymentModel, run: Run): StrategyTurn {
  const { creation, thread } = run
  const inputs = humanTexts(creation)
  const input = inputs.at(-1)
  const alone = turnOf(model, run)
  const turn = { ...alone, input, inputs, outputs: outputsOf(alone.graph, input) }
  const isPlain = input !== undefined && creation.intent === 'documented'
  const strategy = strategyOf(creation)
  const isOnBusyThread = mayBeBusy(thread, creation, createdBy(creation))
  // What `reject` and the default do on a busy thread is unspecified.
  const isSpecified = !isOnBusyThread || strategy === 'enqueue' || strategy === 'interrupt'
  const isKnown = isPlain && isSpecified && turn.graph !== undefined && testGraphOf(model, creation) !== 'fail'
  const by = interrupters(run)
  const interruption = isKnown && by.length > 0 ? interruptionOf(model, run, by) : undefined
  const requiredEnd = isKnown && by.length === 0 ? 'success' : 'unknown'
  return {
    ...turn,
    strategy,
    requiredEnd: interruption ? 'interrupted' : requiredEnd,
    isDone: requiredEnd === 'success' && finalStatus(run) === 'success',
    isOnBusyThread,
    ...(interruption && { interruption }),
  }
}

/** Returns the texts of the input messages of a request; empty unless all have a text and the role `human`. */
function humanTexts({ request }: Exchange): readonly string[] {
  const texts = listAt(request, 'input', 'messages').map((message) =>
    at(message, 'role') === 'human' ? textOf(message) : undefined,
  )
  return texts.every((text) => text !== undefined) ? texts : []
}

/** Requests that may have interrupted a run: the run may have been active, and the strategy is `interrupt` or unknown. */
export function interrupters(run: Run): readonly Exchange[] {
  return run.thread.runCreations.filter(
    (other) =>
      other !== run.creation &&
      !['enqueue', 'reject'].includes(strategyOf(other) ?? '') &&
      createdBy(other) > run.creation.sentAt &&
      !hadEnded(run, other.sentAt),
  )
}

/** Part of its time after which a run is likely to have begun. */
const BEGUN_SHARE = 1 / 5

/** The first request that certainly interrupted a run: it had begun, as a response shows, and cannot have ended. */
function interruptionOf(model: DeploymentModel, run: Run, by: readonly Exchange[]): StrategyTurn['interruption'] {
  const { creation } = run
  const bound = earliestEndAlone(model, run)
  if (bound === undefined) return undefined
  const reads = stateReads(run)
  const before = reads.find((reading) => showsStep(reading, run, 'before'))
  const update = nodeUpdates(creation.events).find(({ node }) => node === 'before')
  const begunAt = Math.min(before?.endedAt ?? Infinity, creation.sentAt + (update?.atMs ?? Infinity))
  // If no state shows its last step, not even one read after its end, the run had begun before something stopped it. What
  // happens to one that has not begun is unspecified, so the request must come some time after the creation.
  const wasReadAfter = reads.some(({ sentAt }) => hadEnded(run, sentAt))
  const isCut = before !== undefined && wasReadAfter && !reads.some((reading) => showsStep(reading, run, 'after'))
  const likelyBegunAt = isCut ? creation.endedAt + (bound - creation.sentAt) * BEGUN_SHARE : Infinity
  const earliest = Math.min(begunAt, likelyBegunAt)
  const latest = inTimeUntil(run, bound)
  const first = by.find((each) => strategyOf(each) === 'interrupt' && earliest <= each.sentAt && each.endedAt < latest)
  if (first === undefined) return undefined
  // If the graph slept too short a time, the run may have ended before. A step after the interruption is no excuse.
  const mayExcuse = ({ sentAt, endedAt }: Exchange) =>
    endedAt < bound && (sentAt < first.endedAt || finalStatus(run) === 'success')
  const hadSlept = reads.some((reading) => mayExcuse(reading) && showsStep(reading, run, 'after'))
  return hadSlept ? undefined : { before: before ?? creation, by: first }
}

/** Number of requests on a thread that may have interrupted another run, with responses before a time. */
export function interruptionsBefore(thread: Thread, time: number): number {
  return thread.runCreations.filter(
    (each) => each.endedAt <= time && strategyOf(each) === 'interrupt' && mayBeBusy(thread, each),
  ).length
}

/** Whether a run may have interrupted another one. */
export function isInterrupting({ strategy, isOnBusyThread }: StrategyTurn): boolean {
  return strategy === 'interrupt' && isOnBusyThread
}

/** Whether another run of the thread certainly executed when the creation of a run returned. */
export function isQueued(model: DeploymentModel, { run: { thread, creation } }: StrategyTurn): boolean {
  return thread.runs.some(
    (other) =>
      createdBy(other.creation) <= creation.sentAt &&
      ((earliestEnd(model, other) ?? 0) > creation.endedAt ||
        other.views.some(({ exchange, record }) => exchange.sentAt >= creation.endedAt && isExecuting(record))),
  )
}

/** Whether the run may have been active when a run with `reject` was requested on its thread. */
export function wasActiveAtReject({ run }: StrategyTurn): boolean {
  return run.thread.requests.some(
    (each) =>
      each.intent === 'documented' &&
      strategyOf(each) === 'reject' &&
      each.sentAt >= createdBy(run.creation) &&
      !hadEnded(run, each.sentAt),
  )
}

/** Whether the run may have been active when a run with `interrupt` was created on another thread. */
export function wasActiveAtInterruptsElsewhere(model: DeploymentModel, { run }: StrategyTurn): boolean {
  const all = select(model, interrupts)
  const first = countWhile(all, ({ sentAt }) => sentAt < createdBy(run.creation))
  const last = countWhile(all, ({ sentAt }) => !hadEnded(run, sentAt))
  return all.slice(first, last).some((each) => threadOf(model, each) !== run.thread && !hadEnded(run, each.endedAt))
}

/** Whether a request for a run with `interrupt` on another thread may have reached the server before a run ended. */
export function mayBeInterruptedElsewhere(model: DeploymentModel, run: Run): boolean {
  const isSoon = ({ sentAt, endedAt }: Exchange) => endedAt > run.creation.sentAt && !hadEnded(run, sentAt)
  // Probes interrupt runs, too.
  const requests = model.exchanges.filter((each) => each.operation === createRun && strategyOf(each) === 'interrupt')
  return requests.some((each) => isSoon(each) && threadOf(model, each) !== run.thread)
}

/** Accepted requests for runs with `interrupt`. */
function interrupts(model: DeploymentModel): readonly Exchange[] {
  return model.of(createRun).filter((each) => strategyOf(each) === 'interrupt')
}

/** Returns a run that certainly executed on another thread while a request was under way, if there is one. */
export function activeElsewhere(
  model: DeploymentModel,
  { sentAt, endedAt }: Exchange,
  thread: Thread,
): Run | undefined {
  const sleeping = select(model, sleepingRuns)
  // Before them, all runs had ended.
  const first = countWhile(sleeping, ({ latestEnd }) => latestEnd <= endedAt)
  const last = countWhile(sleeping, ({ run }) => run.creation.sentAt <= sentAt)
  return sleeping
    .slice(first, last)
    .find(({ run, end }) => run.thread !== thread && createdBy(run.creation) <= sentAt && end > endedAt)?.run
}

/** The sleeping runs that succeeded, in the order of their creation. `latestEnd` is the latest end until then. */
function* sleepingRuns(model: DeploymentModel) {
  let latestEnd = 0
  for (const run of [...model.runs.values()].sort((a, b) => a.creation.id - b.creation.id)) {
    const end = delayOf(model, run.creation) === undefined ? undefined : earliestEnd(model, run)
    if (end === undefined || finalStatus(run) !== 'success') continue
    latestEnd = Math.max(latestEnd, end)
    yield { run, end, latestEnd }
  }
}

/** A state of a thread on which every run that must succeed had ended, with the history of the thread until then. */
export interface HistoryState extends History {
  readonly exchange: Exchange
  readonly setup: readonly (Exchange | undefined)[]
  readonly texts: readonly string[]
}

/** Returns a turn as of a read of the state: an interruption after the read does not affect what the state must show. */
function asOf(turn: StrategyTurn, { sentAt }: Exchange): StrategyTurn {
  const { interruption } = turn
  return interruption && interruption.by.endedAt > sentAt ? { ...turn, requiredEnd: 'unknown' } : turn
}

/** Selects the states that were read after all runs that must succeed had ended, of threads whose runs have different inputs. */
export function* historyStates(model: DeploymentModel): Iterable<HistoryState> {
  for (const state of select(model, settledStates)) if (state.isUnique) yield state
}

/** Selects the states that were read after all runs that must succeed had ended, of threads with runs of the same input. */
export function* repeatedInputStates(model: DeploymentModel): Iterable<HistoryState> {
  for (const state of select(model, settledStates)) if (!state.isUnique) yield state
}

function* settledStates(model: DeploymentModel): Iterable<HistoryState> {
  const byThread = new Map(select(model, histories).map((history) => [history.thread, history]))
  for (const { exchange, thread } of select(model, threadStates)) {
    const history = byThread.get(thread)
    if (history === undefined) continue
    const turns = history.turns
      .filter(({ run }) => run.creation.sentAt < exchange.endedAt)
      .map((turn) => asOf(turn, exchange))
    const messages = at(exchange.json, 'values', 'messages')
    const texts = Array.isArray(messages) ? messages.map(textOf) : [undefined]
    const isSettled = turns.every(
      ({ run, requiredEnd }) =>
        run.creation.endedAt <= exchange.sentAt && (requiredEnd !== 'success' || hadEnded(run, exchange.sentAt)),
    )
    // A message without a readable text may have any text.
    if (turns.length === 0 || !isSettled || !texts.every((text) => text !== undefined)) continue
    const setup = [thread.creation, ...thread.requests].filter((each) => each && each.sentAt < exchange.sentAt)
    yield { ...history, turns, exchange, setup, texts }
  }
}
