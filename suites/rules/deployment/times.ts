import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, returnedEarlier, threadOf, threadStates } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { createRun } from '../../model/operations.ts'
import { at, textAt } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { timeOf } from '../../values/timestamps.ts'
import { nameOf, responsesTo, type ShownObject } from '../common.ts'
import { mismatch, type Rule, rule } from '../rule.ts'

const minuteMs = 60_000

/** A difference of clocks, which is not an error. No time zone differs by less from UTC. */
const toleranceMs = 10 * minuteMs

/** Time between two creations that timestamps show, in milliseconds: they may have whole seconds. */
const distinctMs = 1.2 * settlingMs

/** An object with the names of its times, which are not before the response to an earlier request. */
interface Timed extends ShownObject {
  readonly since: Exchange
  readonly names: readonly string[]
}

const both = ['created_at', 'updated_at']

const threads = (model: DeploymentModel): Iterable<Timed> =>
  responsesTo('POST /threads')(model).map((shown) => ({ ...shown, since: shown.exchange, names: both }))

function* runs(model: DeploymentModel): Iterable<Timed> {
  for (const { exchange, record: value, thread, creation } of model.runViews) {
    const setup = [thread?.creation, creation]
    if (creation !== undefined) yield { exchange, value, setup, since: creation, names: both }
  }
}

function* states(model: DeploymentModel): Iterable<Timed> {
  for (const { exchange, thread } of select(model, threadStates)) {
    const { creation: since, runCreations } = thread
    const setup = [since, ...runCreations.filter(({ sentAt }) => sentAt < exchange.sentAt)]
    if (since !== undefined) yield { exchange, value: exchange.json, setup, since, names: ['created_at'] }
  }
}

/** Returns the time in the header `Date` of a response. */
const dateOf = ({ headers }: Exchange): number => Date.parse(headers['date'] ?? '')

/** Creates a rule: the times of objects are between the dates of two responses. */
function currentRule(requirement: RequirementId, each: (model: DeploymentModel) => Iterable<Timed>) {
  return rule(requirement, {
    each,
    evaluate({ exchange, value, since, names }: Timed) {
      const [from, to] = [dateOf(since), dateOf(exchange)]
      const times = names.map((name) => ({ name, time: timeOf(at(value, name)) ?? Number.NaN }))
      // Without a date in both responses, or without a valid time, nothing is known to be wrong: comparisons with NaN are false.
      const wrong = times.find(({ time }) => time < from - toleranceMs || time > to + toleranceMs)
      if (wrong === undefined) return undefined
      const isEarly = wrong.time < from
      const reference = isEarly ? since : exchange
      const minutes = Math.round(Math.abs(wrong.time - dateOf(reference)) / minuteMs)
      return mismatch(
        `\`${wrong.name}\` in the response to ${nameOf(exchange)}`,
        `at most ten minutes ${isEarly ? 'before' : 'after'} ${reference.headers['date']}, the \`Date\` of the response to ${nameOf(reference)}`,
        `${textAt(value, wrong.name)}, ${minutes} minutes ${isEarly ? 'before' : 'after'} it`,
      )
    },
  })
}

/** Objects with the first one that was created long enough before, with the same time if there is one. */
const creations = (operation: 'POST /threads' | typeof createRun) =>
  function* each(model: DeploymentModel) {
    let first: ShownObject | undefined
    const firstWith = new Map<number | undefined, ShownObject>()
    for (const { exchange, value } of responsesTo(operation)(model)) {
      // A busy thread may return the run that executes.
      if (returnedEarlier(model, exchange)) continue
      const time = timeOf(at(value, 'created_at'))
      const isBefore = (other?: ShownObject) =>
        other !== undefined && other.exchange.endedAt <= exchange.sentAt - distinctMs
      const same = firstWith.get(time)
      const isEqual = isBefore(same)
      const other = isEqual ? same : isBefore(first) ? first : undefined
      first ??= { exchange, value }
      if (same === undefined) firstWith.set(time, { exchange, value })
      // A timestamp may have whole minutes.
      if (time === undefined || time % minuteMs === 0 || other === undefined) continue
      const setup = [threadOf(model, exchange)?.creation, threadOf(model, other.exchange)?.creation, other.exchange]
      yield { exchange, value, setup, other, isEqual }
    }
  }

/** Creates a rule: objects that were created one after another do not have the same time. */
function distinctRule(requirement: RequirementId, operation: 'POST /threads' | typeof createRun) {
  return rule(requirement, {
    each: creations(operation),
    evaluate: ({ exchange, value, other, isEqual }) => {
      const seconds = ((exchange.sentAt - other.exchange.endedAt) / 1000).toFixed(1)
      const name = `\`created_at\` in the response to ${nameOf(exchange)}`
      const received = `${textAt(value, 'created_at')}, as in a response ${seconds} seconds earlier`
      return isEqual ? mismatch(name, 'the time of the creation', received) : undefined
    },
  })
}

/** Rules about the times that objects show. */
export const timeRules: readonly Rule<DeploymentModel>[] = [
  currentRule('thread.times-current', threads),
  distinctRule('thread.times-current', 'POST /threads'),
  currentRule('run.times-current', runs),
  distinctRule('run.times-current', createRun),
  currentRule('state.time-current', states),
]
