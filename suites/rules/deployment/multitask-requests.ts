import { type DeploymentModel, type Thread, threadOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { activeElsewhere, strategyOf } from '../../model/histories.ts'
import { createRun } from '../../model/operations.ts'
import { mayBeBusy } from '../../model/run-ends.ts'
import { isMissing, statusAndBody } from '../common.ts'
import { type Case, type ItemOf, rules, verify } from '../rule.ts'
import { isAcceptedElsewhere } from './service.ts'

/** Requests for a run in a form that the server accepts. */
export function* attempts(model: DeploymentModel) {
  const isUsual = (thread: Thread) => thread.exchanges.every(({ intent }) => intent === 'documented')
  const usual = new Set([...model.threads.values()].filter((thread) => thread.isPrivate && isUsual(thread)))
  for (const exchange of model.attempts(createRun)) {
    const thread = threadOf(model, exchange)
    const strategy = strategyOf(exchange)
    if (thread === undefined || strategy === undefined || !usual.has(thread)) continue
    if (!exchange.accepted && !isAcceptedElsewhere(model, exchange)) continue
    const earlier = thread.requests.filter(({ sentAt }) => sentAt < exchange.sentAt)
    const isIdle = !mayBeBusy(thread, exchange)
    const isMixed = earlier.some((each) => strategyOf(each) !== strategy)
    const setup = [thread.creation, ...earlier]
    yield { exchange, setup, thread, strategy, isIdle, isMixed, isFirst: earlier.length === 0 }
  }
}

/** Time after which an idle thread must accept a run with `reject`, in milliseconds. */
const freeMs = 500

/** Whether an idle thread accepts a run with `reject`, or refuses it for long: how soon it does after a run is unspecified. */
export function isDecided({ exchange, thread }: Attempt): boolean {
  if (exchange.accepted) return true
  const later = thread.requests.filter((each) => strategyOf(each) === 'reject' && each.sentAt >= exchange.endedAt)
  return (later.at(-1)?.sentAt ?? 0) >= exchange.endedAt + freeMs && !later.some(({ accepted }) => accepted)
}

type Attempt = ItemOf<typeof attempts>

/** Creates an evaluation that the request is accepted. `isCase` selects requests. */
export const accepts = (isCase: (attempt: Attempt, model: DeploymentModel) => boolean, whileBusy = '') => {
  return (attempt: Attempt, model: DeploymentModel) => {
    const { exchange, strategy, isIdle } = attempt
    const place = `on ${isIdle ? 'an idle' : 'a busy'} thread${whileBusy}`
    const name = `the response to ${createRun} with \`${strategy}\` ${place}`
    return isCase(attempt, model) && verify(exchange.accepted, name, 'a 2xx response', statusAndBody(exchange))
  }
}

/** First requests of threads, with `reject`, while a run executes on another thread. */
function* besideBusyThreads(model: DeploymentModel): Iterable<Attempt> {
  for (const attempt of select(model, attempts)) {
    const { strategy, isFirst, isIdle, exchange, thread, setup } = attempt
    // The status 404 says that the thread does not exist, not that another one is busy.
    const isCase = strategy === 'reject' && isFirst && isIdle && !isMissing(exchange)
    const other = isCase ? activeElsewhere(model, exchange, thread) : undefined
    if (other !== undefined) yield { ...attempt, setup: [other.thread.creation, other.creation, ...setup] }
  }
}

const otherThreads = 'multitask.reject.other-threads-accepted'

/** Rules that a run on one thread does not make a server refuse those on others. */
export const otherThreadRules = rules(besideBusyThreads, {
  [otherThreads]: accepts(() => true, ' while a run executes on another thread'),
})

/** How requests are refused because another thread is busy: the statuses and bodies, without ids. */
const refusalsBesideBusyThreads = (model: DeploymentModel): ReadonlySet<string> => {
  const failing = otherThreadRules.flatMap((each) => [...each.cases(model)].filter(({ mismatch }) => mismatch))
  return new Set(failing.map(({ subject }) => refusalOf(subject.exchange)))
}

const refusalOf = ({ status, text }: Exchange): string => `${status} ${text.replace(/[0-9a-f-]{36}/gi, '')}`

/** Returns the requirement that a server fails which refuses a run on an idle thread because another thread is busy. */
export function refusedBesideBusyThread({ requirement, subject }: Case, model: DeploymentModel) {
  const { exchange } = subject
  if (requirement === otherThreads || exchange.accepted || mayBeBusy(threadOf(model, exchange), exchange))
    return undefined
  return derive(model, refusalsBesideBusyThreads).has(refusalOf(exchange)) ? otherThreads : undefined
}

/** Rules that runs are accepted. */
export const requestRules = rules(attempts, {
  'multitask.enqueue.accepted': accepts(({ strategy, isIdle }) => strategy === 'enqueue' && !isIdle),
  'multitask.interrupt.accepted': accepts(({ strategy, isIdle }) => strategy === 'interrupt' && !isIdle),
  'multitask.reject.accepted-when-idle': accepts(
    (attempt) =>
      attempt.strategy === 'reject' && attempt.isIdle && !attempt.isFirst && !attempt.isMixed && isDecided(attempt),
  ),
})
