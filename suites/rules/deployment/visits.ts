import type { Subject } from '../../evaluate/rule.ts'
import { at, listAt } from '../../harness/json.ts'
import { textOf } from '../../harness/messages.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { callerOf, type Exchange } from '../../model/exchange.ts'
import { createdAssistants } from './assistants.ts'

/** A thread or an assistant with the requests about it. */
export interface Resource {
  readonly created: Exchange
  /** Its id or those of its runs. */
  readonly ids: readonly string[]
  /** Texts that only this resource has. */
  readonly texts: readonly string[]
  /** Requests that may have created runs on it. */
  readonly creations: readonly Exchange[]
  /** Answered requests of its owner, who is the caller that created it. */
  readonly own: readonly Exchange[]
  /** Answered requests of other users with valid credentials. */
  readonly visits: readonly Exchange[]
}

/** A request about a resource of another user. */
export interface Visit extends Subject, Resource {
  /** The owner's last request for the same before this one. */
  readonly control: Exchange | undefined
}

/** Identifies the user who sends a request; in an open deployment, by the headers. */
export function ownerOf({ endpoint }: DeploymentModel, exchange: Exchange): string {
  return endpoint.profile === 'open' ? callerOf(exchange) : exchange.user
}

/** Threads and assistants that documented requests created. */
export function* resources(model: DeploymentModel): Iterable<Resource> {
  for (const { created, exchanges, creations } of model.threads.values()) {
    if (created?.intent !== 'documented') continue
    const own = creations.filter((creation) => ownerOf(model, creation) === ownerOf(model, created))
    const texts = own.flatMap(({ request }) => listAt(request, 'input', 'messages').map(textOf)).filter(isMark)
    const ids = own.map(({ json }) => at(json, 'run_id')).filter(isMark)
    yield { ...requestsAbout(model, created, exchanges), ids, texts, creations }
  }
  const reads = Map.groupBy(model.exchanges, ({ params }) => keyOf(params['assistant_id']))
  for (const [id, created] of createdAssistants(model)) {
    const texts = Object.values(Object(at(created.request, 'config', 'configurable'))).filter(isMark)
    const ids = [at(created.json, 'assistant_id')].filter(isMark)
    yield { ...requestsAbout(model, created, reads.get(id) ?? []), ids, texts, creations: [] }
  }
}

function requestsAbout(
  model: DeploymentModel,
  created: Exchange,
  exchanges: readonly Exchange[],
): Pick<Resource, 'created' | 'own' | 'visits'> {
  const isOwn = (exchange: Exchange) => ownerOf(model, exchange) === ownerOf(model, created)
  const hasCredentials = ({ user }: Exchange) =>
    model.endpoint.profile === 'open' || (user !== 'nobody' && user !== 'invalid')
  const answered = exchanges.filter(({ intent, fate }) => intent !== 'probe' && fate === 'answered')
  return {
    created,
    own: answered.filter(isOwn),
    visits: answered.filter((exchange) => !isOwn(exchange) && hasCredentials(exchange)),
  }
}

/** Shortest text that does not appear in a response by accident, in characters. */
const shortestMark = 8

function isMark(value: unknown): value is string {
  return typeof value === 'string' && value.length >= shortestMark
}

/** Requests about resources of other users. */
export function* visits(model: DeploymentModel): Iterable<Visit> {
  for (const resource of select(model, resources)) {
    for (const exchange of resource.visits) {
      const control = acceptedBefore(resource, exchange, exchange.sentAt)
      yield { ...resource, exchange, control, setup: [resource.created, control] }
    }
  }
}

/**
 * Returns the owner's last accepted request with the method and the path of another one before a time. A read counts only
 * if no run was created between both.
 */
export function acceptedBefore(
  { own, creations }: Resource,
  { method, url, endedAt }: Exchange,
  time: number,
): Exchange | undefined {
  const before = own.findLast(
    (each) => each.accepted && each.method === method && each.url === url && each.endedAt <= time,
  )
  const isUnchanged = (since: number) => !creations.some((each) => each.endedAt > since && each.sentAt < endedAt)
  return before && (method === 'POST' || isUnchanged(before.sentAt)) ? before : undefined
}

/** Returns the ids and texts of a resource that a response shows, without those that it may repeat from the request. */
export function dataIn({ ids, texts }: Resource, response: Exchange): readonly string[] {
  const { url, requestText = '', text, json, accepted, operation } = response
  const named = accepted ? [at(json, 'run_id'), at(json, 'assistant_id')] : []
  // The state names only the latest run.
  const marks = operation === 'GET /threads/{thread_id}/state' ? texts : [...ids, ...texts]
  return marks.filter(
    (mark) => text.includes(mark) && (named.includes(mark) || !(url.includes(mark) || requestText.includes(mark))),
  )
}

/** Whether another user sends the same request at the same time. */
export function isCrowded({ own, visits }: Resource, { url, user, sentAt, endedAt }: Exchange): boolean {
  return [...own, ...visits].some(
    (other) => other.user !== user && other.url === url && other.sentAt < endedAt && sentAt < other.endedAt,
  )
}
