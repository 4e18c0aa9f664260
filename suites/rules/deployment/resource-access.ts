import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { areConcurrent, contentOf, type Exchange } from '../../model/exchange.ts'
import { createRun } from '../../model/operations.ts'
import { at, listAt, textAt } from '../../values/json.ts'
import { messageTexts, textOf } from '../../values/messages.ts'
import type { Subject } from '../rule.ts'
import { createdAssistants } from './assistants.ts'

/** A thread or an assistant with the answered requests about it. */
export interface Resource {
  readonly creation: Exchange
  /** Its id or those of its runs. */
  readonly ids: readonly string[]
  /** Texts that no other resource contains. */
  readonly texts: readonly string[]
  /** Requests that may have created runs on it. */
  readonly runCreations: readonly Exchange[]
  /** Requests of its owner, who is the caller that created it. */
  readonly byOwner: readonly Exchange[]
  /** Requests of other users with valid credentials. */
  readonly byOthers: readonly Exchange[]
}

/** A request of another user about a resource, or a later one of its owner. */
export interface Access extends Subject, Pick<Resource, 'creation'> {
  readonly isOwn: boolean
  /** An accepted request of the same kind before it: by the owner, or for a stream by the same user. */
  readonly control: Exchange | undefined
  /** Ids and texts of the resource that the control shows. */
  readonly expected: readonly string[]
  /** Those that the response shows. */
  readonly received: readonly string[]
  /** Whether another user sent the same request at the same time. */
  readonly isConcurrent: boolean
}

/** Identifies the user who sends a request; in an open deployment, by the headers. */
export function ownerOf({ endpoint }: DeploymentModel, exchange: Exchange): string {
  return endpoint.profile === 'open' ? exchange.caller : exchange.user
}

/** Threads and assistants that documented requests created. Requests about a run may name another thread. */
export function* resources(model: DeploymentModel): Iterable<Resource> {
  const byRun = Map.groupBy(model.exchanges, ({ params }) => keyOf(params['run_id']))
  for (const thread of model.threads.values()) {
    const { creation, exchanges, runCreations } = thread
    if (creation?.intent !== 'documented') continue
    const ownRuns = runCreations.filter((each) => ownerOf(model, each) === ownerOf(model, creation))
    const inputs = ownRuns.flatMap(({ request }) => listAt(request, 'input', 'messages').map(textOf))
    const texts = inputs.filter(isDistinctive)
    const ids = ownRuns.map(({ json }) => at(json, 'run_id')).filter(isDistinctive)
    const elsewhere = ids
      .flatMap((id) => byRun.get(keyOf(id)) ?? [])
      .filter(({ params }) => keyOf(params['thread_id']) !== keyOf(thread.id))
    yield { ...requestsAbout(model, creation, [...exchanges, ...elsewhere]), creation, ids, texts, runCreations }
  }
  const reads = Map.groupBy(model.exchanges, ({ params }) => keyOf(params['assistant_id']))
  for (const [id, creation] of createdAssistants(model)) {
    // An owner filter need not hide default assistants, which a server may return for an equal one.
    if (model.defaultAssistants.has(id)) continue
    const texts = Object.values(Object(at(creation.request, 'config', 'configurable'))).filter(isDistinctive)
    const ids = [at(creation.json, 'assistant_id')].filter(isDistinctive)
    yield { ...requestsAbout(model, creation, reads.get(id) ?? []), creation, ids, texts, runCreations: [] }
  }
}

function requestsAbout(model: DeploymentModel, creation: Exchange, exchanges: readonly Exchange[]) {
  const isOwn = (exchange: Exchange) => ownerOf(model, exchange) === ownerOf(model, creation)
  const hasCredentials = ({ user }: Exchange) =>
    model.endpoint.profile === 'open' || (user !== 'nobody' && user !== 'invalid')
  const answered = exchanges.filter(({ intent, fate }) => intent !== 'probe' && fate === 'answered')
  return { byOwner: answered.filter(isOwn), byOthers: answered.filter((each) => !isOwn(each) && hasCredentials(each)) }
}

/** Shortest text that does not appear in a response by accident, in characters. */
const shortestDistinctive = 8

function isDistinctive(value: unknown): value is string {
  return typeof value === 'string' && value.length >= shortestDistinctive
}

/** Requests of users about resources of other users, and later requests of the owners. */
export function* accesses(model: DeploymentModel): Iterable<Access> {
  for (const resource of select(model, resources)) {
    const { creation, byOwner, byOthers } = resource
    const [first] = byOthers
    if (first === undefined) continue
    const later = byOwner.filter(({ sentAt }) => sentAt >= first.endedAt)
    const all = [
      ...byOthers.map((exchange) => [exchange, false] as const),
      ...later.map((exchange) => [exchange, true] as const),
    ]
    for (const [exchange, isOwn] of all) {
      const before = acceptedBefore(resource, exchange, isOwn ? first.sentAt : exchange.sentAt)
      const { operation, method } = exchange
      const accepted = method === 'POST' && operation !== undefined ? model.of(operation) : []
      const control = before ?? accepted.find((each) => ownerOf(model, each) === ownerOf(model, exchange))
      const expected = before === undefined ? [] : dataIn(resource, before)
      const setup = [creation, control, ...(isOwn ? [first] : [])]
      const isConcurrent = [...byOwner, ...byOthers].some((other) => isConcurrentWith(other, exchange))
      const received = dataIn(resource, exchange)
      const shown = received[0] === undefined ? {} : { mustShow: received[0] }
      yield { exchange, setup, ...shown, creation, isOwn, control, expected, received, isConcurrent }
    }
  }
}

/**
 * Returns the last accepted request of the owner before a time with the same method and path as another request. A read
 * counts only if no run was created between the two.
 */
function acceptedBefore({ byOwner, runCreations }: Resource, { method, url, endedAt }: Exchange, time: number) {
  const before = byOwner.findLast(
    (each) => each.accepted && each.method === method && each.url === url && each.endedAt <= time,
  )
  const isUnchanged = (since: number) => !runCreations.some((each) => each.endedAt > since && each.sentAt < endedAt)
  return before && (method === 'POST' || isUnchanged(before.sentAt)) ? before : undefined
}

/** Whether a request is the same one of another user at the same time. */
function isConcurrentWith(other: Exchange, exchange: Exchange): boolean {
  return other.user !== exchange.user && other.url === exchange.url && areConcurrent(other, exchange)
}

/** Returns the ids and texts of a resource that a response shows, except those that it may repeat from the request. */
function dataIn({ ids, texts }: Resource, response: Exchange): readonly string[] {
  const { url, requestText = '', json, accepted, operation } = response
  const runId = accepted ? textAt(json, 'run_id') : undefined
  if (operation === createRun && runId !== undefined) return [runId]
  const namedIds = [runId, accepted ? at(json, 'assistant_id') : undefined]
  // A text may be cut into several content blocks.
  const content = [contentOf(response), ...messageTexts(json)].join('\n')
  // The state names only the latest run.
  const data = operation === 'GET /threads/{thread_id}/state' ? texts : [...ids, ...texts]
  return data.filter(
    (value) =>
      content.includes(value) && (namedIds.includes(value) || !(url.includes(value) || requestText.includes(value))),
  )
}
