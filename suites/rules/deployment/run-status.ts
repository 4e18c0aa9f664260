import type { RequirementId } from '../../catalog/generated/ids.ts'
import { idsMatching } from '../../catalog/patterns.ts'
import { delayOf, earliestEnd, earliestEndAlone, mayBeInterrupted, showsStep, stateReads } from '../../model/bounds.ts'
import { conversations } from '../../model/conversations.ts'
import type { DeploymentModel, Run, RunView } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { testGraphOf } from '../../model/graphs.ts'
import { createRun, streamRun } from '../../model/operations.ts'
import { createdBy, endOf, finalStatus, hadEnded, writtenStates } from '../../model/run-ends.ts'
import { busyWithOthers } from '../../model/serial-execution.ts'
import { hasFurtherInput, mayHoldResults } from '../../model/test-graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { finalStatusWords, isExecuting, isFinal, isUnknown, notFinal } from '../../values/run-status.ts'
import {
  type Case,
  equal,
  failureOf,
  mismatch,
  type Rule,
  rule,
  rules,
  type Subject,
  verify,
  verifyIncludes,
} from '../rule.ts'
import { interruptedElsewhere } from './multitask-ends.ts'
import { interruptedByRefused, mayBeInterruptedByRefused } from './refused-runs.ts'

/** The status of a run in a response. */
interface View extends Subject {
  readonly run: Run
  readonly status: unknown
}

function viewOf(run: Run, { exchange, record }: RunView): View {
  const { thread } = run
  // A refused request must not stop the run, nor a connection that a client closes.
  const closed = thread.exchanges.filter(({ fate, method }) => fate === 'left' && method === 'GET')
  const before = [...thread.requests, ...closed].filter(({ sentAt }) => sentAt < exchange.sentAt)
  const setup = [thread.creation, ...before]
  return { run, exchange, setup, status: at(record, 'status') }
}

/**
 * Statuses of sleeping runs in responses that end before the run can have ended. Of a run that is not alone on its thread, only
 * those that show a success: it cannot succeed before the end of its sleep, but may end in another way.
 */
function* whileAsleep(model: DeploymentModel): Iterable<View> {
  for (const run of model.runs.values()) {
    const bound = earliestEnd(model, run) && earliestEndAlone(model, run)
    if (bound === undefined) continue
    // If a state shows that the graph slept too short a time, the run may have ended.
    if (stateReads(run).some((reading) => reading.endedAt < bound && showsStep(reading, run, 'after'))) continue
    for (const view of run.views) {
      if (view.exchange === run.creation || view.exchange.endedAt >= bound) continue
      if (isAlone(run) || at(view.record, 'status') === 'success') yield viewOf(run, view)
    }
  }
}

/** Statuses of sleeping runs at the first poll. */
function* firstPolls(model: DeploymentModel): Iterable<View> {
  const polled = new Set<Run>()
  for (const view of whileAsleep(model)) {
    if (polled.has(view.run) || view.exchange.params['run_id'] === undefined) continue
    polled.add(view.run)
    if (typeof view.status === 'string' && !isFinal(view.status)) yield view
  }
}

/** Runs whose graph completes normally. */
function* completing(model: DeploymentModel): Iterable<Run> {
  for (const run of model.runs.values()) {
    const { creation, thread } = run
    const graph = testGraphOf(model, creation)
    if (graph === undefined || graph === 'fail' || !hasPlainInput(run)) continue
    if (creation.intent === 'documented' && !thread.hasUnknownEffects && isAlone(run)) yield run
  }
}

/** The final status of each run whose graph completes normally. */
function* ends(model: DeploymentModel): Iterable<View & { readonly error: string }> {
  for (const run of select(model, completing)) {
    const end = endOf(run.views)
    if (end !== undefined) yield { ...viewOf(run, end), error: showRecordedError(end.record) }
  }
}

/** Says that a client closed the connection of a request about the thread of a run: this must not stop the run. */
function afterLeftJoin({ run, exchange }: View): string {
  const isLeft = run.thread.exchanges.some(
    ({ fate, method, sentAt }) => fate === 'left' && method === 'GET' && sentAt < exchange.sentAt,
  )
  return isLeft ? ', after a client closed the connection of a join,' : ''
}

/** Shows what a record of a run says about an error; empty if it says nothing. */
function showRecordedError(record: unknown): string {
  const errors = Object.entries(Object(record)).filter(([name]) => /error|exception|traceback/i.test(name))
  const filled = errors.filter(([, value]) => value !== null && value !== '' && value !== false)
  return filled.map(([name, value]) => `, with \`${name}\` ${show(value, 300)}`).join('')
}

/**
 * The last status of each run that had enough time to end but shows no final status. `waited` is the time since the end of
 * its sleep, and since earlier runs ended or were last seen executing, in milliseconds: a server may execute few at a time.
 */
function* unended(model: DeploymentModel): Iterable<View & { readonly waited: number }> {
  const { waitMs = Number.POSITIVE_INFINITY } = model.endpoint
  let busyUntil = 0
  for (const run of select(model, completing).toSorted((a, b) => a.creation.sentAt - b.creation.sentAt)) {
    // Later reads show the same status.
    const end = run.views.find(({ record }) => isFinal(at(record, 'status')))
    const last = end ?? run.views.at(-1)
    if (last === undefined) continue
    const asleepUntil = run.creation.endedAt + (delayOf(model, run.creation) ?? 0)
    const { sentAt } = last.exchange
    if (end === undefined) {
      const waited = sentAt - Math.max(busyUntil, asleepUntil, busyWithOthers(model, run, sentAt))
      if (waited >= waitMs) yield { ...viewOf(run, last), waited }
    }
    busyUntil = Math.max(busyUntil, last.exchange.endedAt)
  }
}

/** The requirement that a run executes, by its strategy. */
const executes = {
  enqueue: 'multitask.enqueue.executes',
  interrupt: 'multitask.interrupt.new-run-succeeds',
  reject: 'multitask.reject.later-run-succeeds',
} as const

/**
 * The last status of each run with a strategy that still executes or waits `waitMs` after every earlier run of the thread
 * has ended. `waited` is that time, in milliseconds.
 */
function* stuckOnThread(model: DeploymentModel): Iterable<View & { readonly waited: number }> {
  const { waitMs } = model.endpoint
  for (const run of waitMs === undefined ? [] : model.runs.values()) {
    const { creation, thread, views } = run
    const last = views.at(-1)
    const graph = testGraphOf(model, creation)
    const isDocumented = creation.intent === 'documented'
    const isKnown = !thread.hasUnknownEffects && thread.runCreations.length === thread.runs.length
    if (!isDocumented || !isKnown || last === undefined || graph === undefined || graph === 'fail') continue
    // Any other word than those of an executing run may be final.
    if (views.some(({ record }) => !isExecuting(record) || isUnknown(record)) || mayBeInterrupted(run)) continue
    const earlier = thread.runs.filter((other) => other !== run && other.creation.sentAt < createdBy(creation))
    const since = last.exchange.sentAt - (waitMs ?? 0) - (delayOf(model, creation) ?? 0)
    const isNext =
      earlier.length > 0 &&
      createdBy(creation) <= since &&
      busyWithOthers(model, run, last.exchange.sentAt) <= since &&
      earlier.every((other) => hadEnded(other, since) || streamHadEnded(other, since))
    if (isNext) yield { ...viewOf(run, last), waited: last.exchange.sentAt - since }
  }
}

/** Whether runs do not end that are alone on their threads: then other runs on a thread are not the cause. */
const anyUnended = (model: DeploymentModel): boolean => select(model, unended).length > 0

/** Whether the stream that created a run had ended at a time. */
function streamHadEnded({ creation }: Run, time: number): boolean {
  return creation.operation === streamRun && creation.fate === 'answered' && creation.endedAt <= time
}

/** Whether the input of a run consists of messages with the role `human`. Other inputs have their own requirements. */
function hasPlainInput({ creation }: Run): boolean {
  const messages = listAt(creation.request, 'input', 'messages')
  return (
    !hasFurtherInput(creation.request) &&
    messages.length > 0 &&
    messages.every((message) => at(message, 'role') === 'human')
  )
}

/**
 * Whether a run was created without a stream and is the only run on its thread. What strategies do to several runs is
 * stated by other requirements.
 */
function isAlone({ thread, creation }: Run): boolean {
  const strategy = at(creation.request, 'multitask_strategy')
  const isPlain = strategy === undefined || strategy === 'enqueue'
  return creation.operation === createRun && isPlain && thread.runCreations.length === 1
}

/** States after a run. `late`: its outputs that only the next state shows. Other states without all outputs are left out. */
function* results(model: DeploymentModel) {
  const all = select(model, conversations)
  const nextOf = new Map(all.map((conversation) => [conversation.before, conversation]))
  for (const conversation of all) {
    const { exchange, setup, latest, texts } = conversation
    const missing = latest.outputs.filter((text) => !texts.includes(text))
    const next = nextOf.get(conversation)
    const isUniqueInput = next?.turns.filter(({ input }) => input === latest.input).length === 1
    const late = isUniqueInput ? missing.filter((text) => next.texts.includes(text)) : []
    const isDecided = missing.length === 0 || late.length > 0
    // A state without any message fails another requirement, unless it gets messages without another run.
    const isEmpty = texts.length === 0 && (late.length === 0 || next?.turns.length !== conversation.turns.length)
    if (latest.outputs.length > 0 && !isEmpty && isDecided)
      yield { exchange, setup: [...setup, endOf(latest.run.views)?.exchange], texts, late, next: next?.exchange }
  }
}

const resultRules = rules(results, {
  'run.status.results-in-state': ({ exchange, late, texts, next }) => {
    const later = next === undefined ? '' : `; a read ${Math.round(next.sentAt - exchange.sentAt)} ms later shows them`
    return verifyIncludes(late.length === 0, 'the messages after a run has ended', show(late), `${show(texts)}${later}`)
  },
})

const lateFailure = failureOf(resultRules)

/** States after a run that succeeded, but from before its end: they lack its last message or name nodes that are still to run. */
function earlyStates(model: DeploymentModel): ReadonlySet<Exchange> {
  const isEarly = (run: Run, state: unknown) => listAt(state, 'next').length > 0 || !mayHoldResults(model, run, state)
  const states = select(model, writtenStates).filter(({ writer }) => finalStatus(writer) === 'success')
  return new Set(states.filter(({ exchange, writer }) => isEarly(writer, exchange.json)).map((each) => each.exchange))
}

/** Requirements that fail for a state from before the last step of its run. */
const failedByEarlyStates = idsMatching([
  'state.get.latest',
  'state.idle.*',
  'state.fields.next.empty',
  'state.fields.tasks.empty',
  'state.metadata.*',
  'message.input.*',
  'message.answer.*',
  'message.tool.stored',
  'message.order.*',
  'service.run.updates-state',
  'service.thread.keeps-conversation',
  'stream.updates.id-as-stored',
])

/** Returns the requirement about late results if it fails, and a failure is in a state from before the end of its run. */
export function lateResults({ requirement, subject }: Case, model: DeploymentModel): RequirementId | undefined {
  if (!failedByEarlyStates.has(requirement)) return undefined
  const states = derive(model, earlyStates)
  const isEarly = [subject.exchange, ...(subject.setup ?? [])].some((each) => each !== undefined && states.has(each))
  return isEarly ? lateFailure(subject, model) : undefined
}

/** States after a run that succeeded on a thread on which an earlier run has failed. */
function* afterFailure(model: DeploymentModel) {
  for (const { exchange, writer: run, thread } of select(model, writtenStates)) {
    if (finalStatus(run) !== 'success') continue
    const isFailed = ({ creation }: Run) => testGraphOf(model, creation) === 'fail'
    const failed = thread.runs.find((each) => each !== run && isFailed(each))
    if (failed) yield { exchange, run, setup: [thread.creation, failed.creation, run.creation] }
  }
}

/** Creations of sleeping runs, with the time from the end of the response to the end of the sleep, in milliseconds. */
function* responses(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const { creation, thread } = run
    const delay = delayOf(model, creation)
    if (delay === undefined || !isAlone(run) || thread.creation === undefined) continue
    if (creation.intent !== 'documented') continue
    // If the creation of the thread took long, too, the machine may be busy.
    const isQuick = durationOf(thread.creation) * 2 < delay
    yield { exchange: creation, setup: [thread.creation], delay, remaining: delay - durationOf(creation), isQuick }
  }
}

const durationOf = ({ sentAt, endedAt }: Exchange): number => endedAt - sentAt

/**
 * The creation with the longest sleep whose response came before the end of the sleep. If there is none, and several
 * creations exist: the quick one with the longest sleep.
 */
function* earliestResponse(model: DeploymentModel) {
  const all = select(model, responses).toSorted((a, b) => b.delay - a.delay)
  const inTime = all.find(({ remaining }) => remaining > 0)
  const late = all.length > 1 ? all.find(({ isQuick }) => isQuick) : undefined
  const response = inTime ?? late
  if (response !== undefined) yield response
}

const finalInsteadOf = (status: unknown): string =>
  isUnknown({ status }) ? `one that is known as final: ${finalStatusWords.join(', ')}` : 'a final one'

/** Rules about the status of single runs. */
export const runStatusRules: readonly Rule<DeploymentModel>[] = [
  rule('run.status.not-final-while-executing', {
    each: whileAsleep,
    when: ({ status }) => typeof status === 'string',
    evaluate: (view, model) =>
      interruptedByRefused(view, model) ??
      interruptedElsewhere(view, model) ??
      verify(!isFinal(view.status), 'the status of a run while its graph executes', notFinal, view.status),
  }),
  rule('run.status.pending-at-first-poll', {
    each: firstPolls,
    // A poll that took long may show a later status.
    when: ({ status }, model) =>
      status === 'pending' || !select(model, firstPolls).some((poll) => poll.status === 'pending'),
    evaluate: ({ status }) => equal('the status at the first poll of a run', status, 'pending'),
  }),
  // A run with a final status passes. The next rule finds those that should have ended.
  rule('run.status.ends', {
    each: ends,
    evaluate: () => undefined,
  }),
  ...rules(unended, {
    'run.status.ends': ({ status, waited }) =>
      mismatch(
        `the status of a run, read ${Math.round(waited)} ms after it could start,`,
        finalInsteadOf(status),
        status,
      ),
  }),
  ...Object.entries(executes).map(([strategy, requirement]) =>
    rule(requirement, {
      each: stuckOnThread,
      when: ({ run }) => at(run.creation.request, 'multitask_strategy') === strategy,
      evaluate: ({ status, waited }, model) =>
        derive(model, anyUnended)
          ? 'run.status.ends'
          : mismatch(
              `the status of a run, read ${Math.round(waited)} ms after all earlier runs of its thread had ended,`,
              finalInsteadOf(status),
              status,
            ),
    }),
  ),
  rule('run.status.success', {
    each: ends,
    when: ({ run }, model) => interruptedByRefused({ run }, model) !== undefined || !mayBeInterruptedByRefused(run),
    evaluate: (view, model) =>
      interruptedByRefused(view, model) ??
      interruptedElsewhere(view, model) ??
      verify(
        view.status === 'success',
        `the final status of a run whose graph completes${afterLeftJoin(view)}`,
        '"success"',
        `${show(view.status)}${view.error}`,
      ),
  }),
  ...resultRules,
  ...rules(afterFailure, {
    'run.status.results-in-state': ({ exchange, run }, model) =>
      verifyIncludes(
        mayHoldResults(model, run, exchange.json),
        'the messages after a run that followed one that failed',
        'the results of the run',
        listAt(exchange.json, 'values', 'messages').map(textOf),
      ),
  }),
  ...rules(earliestResponse, {
    'service.background.returns-at-once': ({ remaining, delay }) =>
      verify(
        remaining > 0,
        `the creation of a run that takes ${delay} ms`,
        'a response in less time',
        `${delay - remaining} ms`,
      ),
  }),
]
