import { threadTable } from '../../catalog/deployment/thread.ts'
import { isObject } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, type Thread, threadOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { show } from '../../values/json.ts'
import {
  acceptsCaller,
  freshIdRule,
  isMissing,
  nameOf,
  responsesTo,
  statusAndBody,
  statusInContext,
  updatedNotBeforeCreatedRule,
} from '../common.ts'
import { fieldRule } from '../field-rule.ts'
import { type Case, failureOf, mismatch, type Rule, rule, rules, type Subject, verify } from '../rule.ts'

const created = responsesTo('POST /threads')

/** Reads of states and of lists of runs that the same caller has read before. */
function* repeatedReads(model: DeploymentModel) {
  for (const operation of ['GET /threads/{thread_id}/state', 'GET /threads/{thread_id}/runs'] as const) {
    const accepted = new Map<string, Exchange>()
    for (const exchange of model.attempts(operation)) {
      const thread = threadOf(model, exchange)
      const key = `${exchange.caller} ${exchange.url}`
      const earlier = accepted.get(key)
      if (exchange.accepted) accepted.set(key, exchange)
      const isDecided = exchange.accepted || isMissing(exchange)
      if (!isDecided || earlier === undefined || earlier.endedAt > exchange.sentAt || !thread?.creation) continue
      const requests = thread.runCreations.filter(({ sentAt }) => sentAt < exchange.sentAt)
      const isBetween = ({ sentAt, endedAt }: Exchange) => endedAt > earlier.sentAt && sentAt < exchange.endedAt
      // That a refusal hides a thread from its owner, too, is a requirement of its own.
      const isHidden = thread.exchanges.some(
        (each) => each.caller !== exchange.caller && !each.accepted && isBetween(each),
      )
      if (isHidden) continue
      const isOfOther = (each: Exchange) => each.user !== exchange.user && isBetween(each)
      const other = exchange.accepted
        ? undefined
        : (thread.writes.findLast(isOfOther) ?? created(model).findLast((each) => isOfOther(each.exchange))?.exchange)
      yield { exchange, setup: [thread.creation, ...requests, earlier, other], other }
    }
  }
}

const keptRules = rules(repeatedReads, {
  'thread.kept': (subject) => {
    const { exchange, other } = subject
    const name = `the response to ${nameOf(exchange)} of a thread that was read before`
    const since = other === undefined ? '' : `; in between, another user sent ${nameOf(other)}`
    return verify(exchange.accepted, name, 'a 2xx response', `${statusInContext(subject)}${since}`)
  },
})

const keptFailure = failureOf(keptRules)

/** Threads that existed, and were no longer found. */
function lostThreads(model: DeploymentModel): ReadonlySet<Thread | undefined> {
  const lost = select(model, repeatedReads).filter(({ exchange }) => !exchange.accepted)
  return new Set(lost.map(({ exchange }) => threadOf(model, exchange)))
}

/**
 * Returns the requirement that fails if threads are lost, of a response that says that a thread does not exist which an
 * earlier response has shown to exist. It may be the run that does not exist, unless the thread is known to be lost.
 */
export function lostThread(failing: Case, model: DeploymentModel): RequirementId | undefined {
  const { exchange } = failing.subject
  const thread = threadOf(model, exchange)
  if (failing.requirement === 'thread.kept' || !isMissing(exchange) || thread?.creation === undefined) return undefined
  const existed = thread.exchanges.some(
    (each) => each !== thread.creation && each.accepted && each.endedAt <= exchange.sentAt,
  )
  const isLost = exchange.params['run_id'] === undefined ? existed : derive(model, lostThreads).has(thread)
  return isLost ? keptFailure(failing, model) : undefined
}

/** Requests for a thread. A refusal has the last refusal of other credentials as its setup: it may lock a user out. */
function* attempts(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of model.attempts('POST /threads')) {
    const isEarlierRefusal = (other: Exchange) =>
      other.status === 401 && other.caller !== exchange.caller && other.endedAt <= exchange.sentAt
    const isRefused = exchange.status === 401
    yield { exchange, setup: isRefused ? [model.exchanges.findLast(isEarlierRefusal)] : [] }
  }
}

const acceptsEmpty = rule('thread.create.accepts-empty-object', {
  each: attempts,
  evaluate: (subject) =>
    verify(subject.exchange.accepted, 'the response to POST /threads', 'a 2xx response', statusInContext(subject)),
})

const creationFailure = failureOf([acceptsEmpty], ({ subject }) => subject.exchange.status === 401)

/** Returns the requirement that fails if a user who is refused may not create threads either. */
export const lockoutFailure = (subject: Subject, model: DeploymentModel) =>
  subject.exchange.status === 401 ? creationFailure(subject, model) : undefined

/** Rules about the creation of threads. */
export const threadRules: readonly Rule<DeploymentModel>[] = [
  fieldRule(threadTable, (model: DeploymentModel) =>
    // A body that is not an object lacks every field.
    created(model).map(({ value, ...rest }) => ({
      ...rest,
      value: value === undefined || isObject(value) ? value : {},
    })),
  ),
  acceptsEmpty,
  ...keptRules,
  rule('thread.create.answers-json', {
    each: created,
    evaluate: ({ exchange, value }) =>
      value === undefined ? mismatch('the body of POST /threads', 'JSON', show(exchange.text, 300)) : undefined,
  }),
  freshIdRule('thread.create.fresh-id', created, 'thread_id'),
  updatedNotBeforeCreatedRule('thread.updated-not-before-created', created),
  rule('thread.list.accepts-credentials', {
    each: (model: DeploymentModel) => model.attempts('GET /threads').map((exchange) => ({ exchange })),
    // Credentials that are refused everywhere fail another requirement.
    when: ({ exchange }, model) => acceptsCaller(model, exchange),
    evaluate: ({ exchange }) =>
      verify(
        exchange.status !== 401 && exchange.status !== 403,
        'the response to GET /threads',
        'neither 401 nor 403',
        statusAndBody(exchange),
      ),
  }),
]
