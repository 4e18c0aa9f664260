import { at, listAt } from '../values/json.ts'
import { textOf } from '../values/messages.ts'
import { isFinal } from '../values/run-status.ts'
import { type DeploymentModel, keyOf, type Run } from './deployment.ts'
import { derive } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { testGraphOf } from './graphs.ts'
import { createdBy, finalStatus, hadEnded, mayBeBusy } from './run-ends.ts'
import { inputText } from './test-graphs.ts'

// When runs execute, as far as a trace shows it: `had…` is certain, because a response shows it, and `mayBe…` is true unless a
// response excludes it. The earliest end of a run follows from the time that the test graph `slow` sleeps.

/** How long the test graph `slow` sleeps unless its assistant says otherwise, in milliseconds. */
const DEFAULT_DELAY_MS = 1000

/** How much too early a timer may fire, in milliseconds. */
const TIMER_MARGIN_MS = 10

/** Part of its sleep in which a run counts as new, although it may have begun. */
const NEW_SHARE = 1 / 8

/** Part of its time that a run must have left when a request arrives: a server may take some time to act on it. */
const LEFT_SHARE = 1 / 4

/**
 * Returns the earliest moment at which a run can have ended: it sleeps as long as its assistant configures, and a queued run
 * waits for those before it. Undefined if the run does not sleep, or another one may have interrupted it.
 */
export function earliestEnd(model: DeploymentModel, run: Run): number | undefined {
  return derive(model, earliestEnds).get(run)
}

function earliestEnds(model: DeploymentModel): ReadonlyMap<Run, number> {
  const ends = new Map<Run, number>()
  // A run comes after the one ahead of it.
  for (const run of [...model.threads.values()].flatMap(({ runs }) => runs)) {
    const own = earliestEndAlone(model, run)
    if (own === undefined || run.thread.hasUnknownEffects || mayBeInterrupted(run) || mayBeRefused(run)) continue
    const ahead = runAhead(run)
    const aheadEnd = (ahead && ends.get(ahead)) ?? 0
    ends.set(run, own + Math.max(0, aheadEnd - run.creation.sentAt))
  }
  return ends
}

/** Returns the same, unless the trace shows that the run ended before: then its graph sleeps too short a time. */
export function checkedEarliestEnd(model: DeploymentModel, run: Run): number | undefined {
  const end = earliestEnd(model, run) ?? 0
  const isShown =
    run.views.some(({ exchange, record }) => exchange.endedAt < end && isFinal(at(record, 'status'))) ||
    stateReads(run).some((reading) => reading.endedAt < end && showsStep(reading, run, 'after'))
  return end === 0 || isShown ? undefined : end
}

/** Whether a run with `reject` may have been refused although a response has its id: what the server does is unspecified. */
export function mayBeRefused({ thread, creation }: Run): boolean {
  return at(creation.request, 'multitask_strategy') === 'reject' && mayBeBusy(thread, creation)
}

/** Returns the earliest moment at which a run can have ended if nothing interrupted it and it waited for no other. */
export function earliestEndAlone(model: DeploymentModel, run: Run): number | undefined {
  const { creation } = run
  const delay = leastDelay(model, run)
  return delay === undefined ? undefined : creation.sentAt + Math.max(0, delay - TIMER_MARGIN_MS)
}

/** Returns the time until which a request is sure to reach a run that ends at `end` while it executes. */
export function inTimeUntil({ creation }: Run, end: number): number {
  return end - (end - creation.sentAt) * LEFT_SHARE
}

/** Returns the run that a queued run waits for: the latest one before it, unless a response showed that it had ended. */
export function runAhead({ thread, creation }: Run): Run | undefined {
  if (at(creation.request, 'multitask_strategy') !== 'enqueue' || thread.hasUnknownEffects) return undefined
  const ahead = thread.runs.filter((other) => createdBy(other.creation) <= creation.sentAt).at(-1)
  if (ahead === undefined || mayBeInterrupted(ahead) || hadEnded(ahead, creation.sentAt)) return undefined
  // A run that did not succeed may have ended early.
  return finalStatus(ahead) === 'success' ? ahead : undefined
}

/**
 * Whether a request on the thread of a run may have interrupted it between two times, by default after its creation was
 * sent: also after the end of the run, because another requirement states that a run which has ended is not interrupted.
 * What a request without a strategy does on a busy thread is unspecified.
 */
export function mayBeInterrupted(run: Run, after = run.creation.sentAt, before = Infinity): boolean {
  const { thread, creation } = run
  const others = thread.runCreations.filter((other) => createdBy(other) > after && other.sentAt < before)
  return others.some((other) => {
    const strategy = at(other.request, 'multitask_strategy')
    return other !== creation && (strategy === 'interrupt' || (strategy === undefined && !hadEnded(run, other.sentAt)))
  })
}

/** Returns how long the run that a request creates sleeps; undefined for other graphs than `slow`. */
export function delayOf(model: DeploymentModel, creation: Exchange): number | undefined {
  if (testGraphOf(model, creation) !== 'slow') return undefined
  const assistant = model.assistants.get(keyOf(at(creation.request, 'assistant_id')) ?? '')
  if (assistant?.isAmbiguous) return undefined
  const delay = at(assistant?.creation.request, 'config', 'configurable', 'delay_ms')
  return typeof delay === 'number' ? delay : DEFAULT_DELAY_MS
}

/** Returns the shortest time that a run may sleep: a server may give all runs of a thread the settings of the first one. */
function leastDelay(model: DeploymentModel, { creation, thread }: Run): number | undefined {
  const [delay, first = creation] = [delayOf(model, creation), ...thread.runCreations]
  return delay && Math.min(delay, delayOf(model, first) ?? delay)
}

/** Whether a state contains the message that a run of `slow` adds before or after its sleep. */
export function showsStep(reading: Exchange, run: Run, step: 'before' | 'after'): boolean {
  const expected = `${step}: ${inputText(run.creation.request)}`
  return listAt(reading.json, 'values', 'messages').some((message) => textOf(message) === expected)
}

/**
 * Whether a run had begun some time before: a state showed its first step, or its creation is long ago and it ended too soon
 * afterwards to begin later.
 */
export function hadBegun(model: DeploymentModel, run: Run, time: number): boolean {
  const delay = leastDelay(model, run) ?? 0
  const latestStart = Math.max(run.creation.endedAt + delay * NEW_SHARE, run.endShownAt - delay + TIMER_MARGIN_MS)
  const isPastStart = finalStatus(run) === 'success' && time >= latestStart
  return isPastStart || stateReads(run).some((read) => read.endedAt <= time && showsStep(read, run, 'before'))
}

/** Reads of the state of a run's thread by the user who created the run. */
export function stateReads({ thread, creation }: Run): readonly Exchange[] {
  return thread.exchanges.filter(
    ({ operation, accepted, caller }) =>
      accepted && caller === creation.caller && operation === 'GET /threads/{thread_id}/state',
  )
}
