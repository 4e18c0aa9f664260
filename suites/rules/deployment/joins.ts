import {
  checkedEarliestEnd,
  earliestEnd,
  hadBegun,
  inTimeUntil,
  mayBeInterrupted,
  mayBeRefused,
  runAhead,
  stateReads,
} from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, type Run, type RunView } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import { type Exchange, timedOut } from '../../model/exchange.ts'
import { testGraphOf } from '../../model/graphs.ts'
import { streamRun } from '../../model/operations.ts'
import { finalStatus, hadEnded } from '../../model/run-ends.ts'
import { hasFurtherInput, mayHoldResults } from '../../model/test-graphs.ts'
import { at } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { isExecuting, isUnknown } from '../../values/run-status.ts'
import { statusAndBody, statusInContext } from '../common.ts'
import { equal, failureOf, mismatch, type Rule, rule, rules, type Subject, verify, verifyIncludes } from '../rule.ts'

/** A join of a run by the user who created it. */
interface Join extends Subject {
  readonly run: Run
  /** The requirement that it tests if it waits for the end of the run. */
  readonly requirement: (typeof waitingJoins)[number]
  readonly isInTime: boolean
  /** Why it returned before the run had finished; undefined if the trace does not show that it did. */
  readonly early: string | undefined
}

function* joins(model: DeploymentModel): Iterable<Join> {
  for (const exchange of model.exchanges) {
    if (exchange.operation !== 'GET /threads/{thread_id}/runs/{run_id}/join') continue
    const run = model.runs.get(keyOf(exchange.params['run_id']) ?? '')
    if (run === undefined || exchange.intent !== 'documented') continue
    if (run.creation.caller !== exchange.caller || run.creation.headAt > exchange.sentAt) continue
    // What the join of an interrupted or a refused run returns is not stated.
    const status = finalStatus(run)
    if (status === 'interrupted' || (status === undefined && (mayBeInterrupted(run) || mayBeRefused(run)))) continue
    yield {
      exchange,
      setup: [run.thread.creation, ...run.thread.runCreations],
      run,
      requirement: requirementOf(model, run, exchange),
      isInTime: isInTime(model, run, exchange),
      early: earlyReturn(model, run, exchange),
    }
  }
}

/** Joins of runs that had ended, with a response or without one in time. */
function* joinsOfEnded(model: DeploymentModel): Iterable<Join> {
  for (const join of select(model, joins)) {
    if (hadEnded(join.run, join.exchange.sentAt) && (join.exchange.fate === 'answered' || isLate(join))) yield join
  }
}

const isLate = ({ exchange }: Join): boolean => timedOut(exchange)

/** Number of joins of one run after which it is no accident that none was answered. */
const manyJoins = 3

/** The first of many joins of an executing run if all of them were refused or cut off. */
function* refused(model: DeploymentModel): Iterable<Join> {
  for (const same of derive(model, joinsByRun).values()) {
    const inTime = same.filter((join) => join.isInTime)
    const isRefused = ({ exchange }: Join) =>
      !exchange.accepted && exchange.fate !== undefined && exchange.fate !== 'left' && !timedOut(exchange)
    if (inTime.length >= manyJoins && inTime.every(isRefused)) yield* inTime.slice(0, 1)
  }
}

/** Other joins of the same run that were open at the same time. */
function concurrent(model: DeploymentModel, { exchange, run }: Join): readonly Join[] {
  // A join without a response was open until its client gave up.
  const wasOpen = (other: Exchange) => other.sentAt < exchange.closedAt && exchange.sentAt < other.closedAt
  const same = derive(model, joinsByRun).get(run) ?? []
  return same.filter((other) => other.exchange !== exchange && wasOpen(other.exchange))
}

function joinsByRun(model: DeploymentModel): ReadonlyMap<Run, readonly Join[]> {
  return Map.groupBy(select(model, joins), ({ run }) => run)
}

/** Whether a join had no response for half of its budget after another join of the run had returned. */
function isLeftOpen(model: DeploymentModel, join: Join): boolean {
  const patienceMs = (model.endpoint.waitMs ?? 0) / 2
  const returned = concurrent(model, join).find(({ exchange }) => exchange.accepted)
  return (
    returned !== undefined &&
    timedOut(join.exchange) &&
    join.exchange.closedAt - returned.exchange.endedAt >= patienceMs
  )
}

function earlyReturn(model: DeploymentModel, run: Run, { endedAt }: Exchange): string | undefined {
  const bound = checkedEarliestEnd(model, run)
  if (bound !== undefined && endedAt < bound) {
    return `a response ${Math.round(bound - endedAt)} ms before it can have finished`
  }
  // A run that was interrupted leaves no results.
  if (finalStatus(run) !== 'success') return undefined
  const later = run.views.find((view) => view.exchange.sentAt >= endedAt)
  const reading = stateReads(run).find(({ sentAt }) => sentAt >= endedAt)
  if (later === undefined || reading === undefined || !isExecuting(later.record)) return undefined
  return mayHoldResults(model, run, reading.json) ? undefined : `a response while it was ${at(later.record, 'status')}`
}

/** Whether a join reached the server well before the end of its run: a request that was sent later had its response in time. */
function isInTime(model: DeploymentModel, run: Run, { sentAt }: Exchange): boolean {
  const bound = earliestEnd(model, run)
  if (bound === undefined) return false
  const latest = inTimeUntil(run, bound)
  return run.thread.exchanges.some((other) => other.sentAt >= sentAt && other.endedAt < latest)
}

/** Whether a join was accepted, or refused while its run executed. */
function isDecided({ exchange, isInTime }: Join): boolean {
  return exchange.fate === 'answered' && (exchange.accepted || isInTime)
}

const waitingJoins = ['run.join.waits-from-creation', 'run.join.waits', 'run.join.queued', 'run.join.streamed'] as const

/** Returns the requirement that a join tests: about a streamed run, a queued run, one that had begun, or a new one. */
function requirementOf(model: DeploymentModel, run: Run, { sentAt }: Exchange): Join['requirement'] {
  if (run.creation.operation === streamRun) return 'run.join.streamed'
  const ahead = runAhead(run)
  if (ahead !== undefined && !hadEnded(ahead, sentAt)) return 'run.join.queued'
  return hadBegun(model, run, sentAt) ? 'run.join.waits' : 'run.join.waits-from-creation'
}

const waits = waitingJoins.map((id) =>
  rule(id, {
    each: joins,
    when: ({ exchange, run, requirement, isInTime, early }) =>
      exchange.accepted && !hadEnded(run, exchange.sentAt) && requirement === id && (isInTime || early !== undefined),
    evaluate: ({ early }) => verify(early === undefined, 'the join of a run', 'a response once it has finished', early),
  }),
)

/** An accepted join of a run that succeeded, with the first read of the run or of its state after it. */
interface ReadAfterJoin extends Join {
  readonly view?: RunView
  readonly reading?: Exchange
}

function* readsAfterJoins(model: DeploymentModel): Iterable<ReadAfterJoin> {
  for (const join of select(model, joins)) {
    const { exchange, run, setup = [] } = join
    if (!exchange.accepted || run.thread.hasUnknownEffects || !isKnownToSucceed(model, run)) continue
    const view = run.views.find(
      (each) =>
        each.exchange.caller === exchange.caller &&
        each.exchange.sentAt >= exchange.endedAt &&
        each.exchange.params['run_id'],
    )
    const reading = stateReads(run).find(({ sentAt }) => sentAt >= exchange.endedAt)
    if (view) yield { ...join, view, exchange: view.exchange, setup: [...setup, exchange] }
    if (reading) yield { ...join, reading, exchange: reading, setup: [...setup, exchange] }
  }
}

/** Whether a run succeeded, or ended with a status that is not known although its graph completes normally. */
function isKnownToSucceed(model: DeploymentModel, run: Run): boolean {
  const status = finalStatus(run)
  if (status !== undefined || mayBeInterrupted(run) || mayBeRefused(run)) return status === 'success'
  const graph = testGraphOf(model, run.creation)
  const isPlain = graph !== undefined && graph !== 'fail' && run.creation.intent === 'documented'
  return isPlain && !hasFurtherInput(run.creation.request) && isUnknown(run.views.at(-1)?.record)
}

/** Whether a state, or one that was read later, contains the results of a run. */
function holdsResultsLater(model: DeploymentModel, run: Run, { sentAt }: Exchange): boolean {
  return stateReads(run).some((reading) => reading.sentAt >= sentAt && mayHoldResults(model, run, reading.json))
}

const waitFailure = failureOf(waits)

/**
 * Returns the requirement that an early join before a read fails. A trace does not always show that a join returned
 * early; joins of other runs may show it.
 */
const earlyJoinFailure = (read: ReadAfterJoin, model: DeploymentModel) =>
  read.early === undefined ? waitFailure(read, model) : read.requirement

/** Rules about joins, and about what responses show after a join has returned. */
export const joinRules: readonly Rule<DeploymentModel>[] = [
  ...waits,
  rule('run.join.answers', {
    each: joins,
    when: (join, model) =>
      isDecided(join) && !hadEnded(join.run, join.exchange.sentAt) && concurrent(model, join).length === 0,
    evaluate(join) {
      const { exchange, run } = join
      // The id of a streamed run may be wrong: nothing else shows it.
      if (!exchange.accepted && run.creation.operation === streamRun && run.views.length === 0)
        return 'stream.metadata.run_id.of-run'
      return verify(exchange.accepted, 'the response to a join', 'a 2xx response', statusInContext(join))
    },
  }),
  ...rules(refused, {
    'run.join.answers': ({ exchange }) =>
      mismatch('the response to each of many joins of a run', 'a 2xx response', statusAndBody(exchange)),
  }),
  rule('run.join.finished', {
    each: joinsOfEnded,
    // A busy machine may delay a single response for long.
    when: ({ exchange }, model) =>
      exchange.fate === 'answered' || select(model, joinsOfEnded).filter(isLate).length > 1,
    evaluate: ({ exchange }, model) =>
      select(model, joins).some((join) => join.exchange.accepted)
        ? verify(exchange.accepted, 'the join of a run that has finished', 'a 2xx response', statusAndBody(exchange))
        : 'run.join.answers',
  }),
  rule('run.join.many', {
    each: joins,
    when: (join, model) =>
      (isDecided(join) || isLeftOpen(model, join)) &&
      !hadEnded(join.run, join.exchange.sentAt) &&
      concurrent(model, join).length > 0,
    evaluate(join, model) {
      const all = [join, ...concurrent(model, join)]
      if (!all.some(({ exchange }) => exchange.accepted)) return 'run.join.answers'
      const name = `each of ${all.length} joins of a run at the same time`
      const received = statusAndBody(join.exchange)
      return verify(join.exchange.accepted, name, 'a 2xx response once it has finished', received)
    },
  }),
  rule('run.status.results-after-join', {
    each: readsAfterJoins,
    // That results are lost, and what strategies do to those of other runs, is stated by other requirements.
    when: ({ run, reading }, model) =>
      reading !== undefined && run.thread.runCreations.length === 1 && holdsResultsLater(model, run, reading),
    evaluate(read, model) {
      const state = read.reading?.json
      const messages = at(state, 'values', 'messages')
      const texts = Array.isArray(messages) ? messages.map(textOf) : messages
      const [name, part] = ['the messages of the state after a join', 'all results of the run']
      return earlyJoinFailure(read, model) ?? verifyIncludes(mayHoldResults(model, read.run, state), name, part, texts)
    },
  }),
  rule('run.status.success-after-join', {
    each: readsAfterJoins,
    when: ({ view }) => view !== undefined,
    evaluate: (read, model) =>
      earlyJoinFailure(read, model) ??
      equal('the status of a run once its join has returned', at(read.view?.record, 'status'), 'success'),
  }),
]
