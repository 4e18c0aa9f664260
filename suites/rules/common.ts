import { isObject } from '../catalog/facts.ts'
import type { FieldTable } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { keyOf } from '../model/deployment.ts'
import { type EndpointModel, select } from '../model/endpoint.ts'
import { areConcurrent, type Exchange } from '../model/exchange.ts'
import type { Operation } from '../model/operations.ts'
import { at, jsonError, showBody } from '../values/json.ts'
import { updatedBeforeCreated } from '../values/timestamps.ts'
import { mismatch, type Rule, rule, type Subject } from './rule.ts'

/** An object in a response. */
export interface ShownObject extends Subject {
  readonly value: unknown
}

/** Creates a selector of the accepted responses of an operation, with their bodies. */
export function responsesTo(operation: Operation): (model: EndpointModel) => readonly ShownObject[] {
  return (model) => model.of(operation).map((exchange) => ({ exchange, value: exchange.json }))
}

/** Returns the status and the body of a response as text, or why there is no response. */
export function statusAndBody({ status, text, error }: Exchange, limit = 300): string {
  if (status === undefined) return `no response: ${error}`
  if (error !== undefined) return `${status}, cut off: ${error}`
  return `${status} ${showBody(text, limit)}${/^\s*[[{]/.test(text) ? jsonError(text) : ''}`
}

/**
 * Returns the same, and of a refusal how long before it the setup ended, or the same request was accepted: a service may need
 * time after a creation, or lose what it created.
 *
 * @example '404 "", 3 ms after POST /threads (200)'
 */
export function statusInContext({ exchange, setup = [] }: Subject): string {
  const before = setup.flatMap((each) => (each !== undefined && each.endedAt <= exchange.sentAt ? [each] : []))
  const same = before.findLast(
    ({ accepted, method, url }) => accepted && method === exchange.method && url === exchange.url,
  )
  const last = same ?? before.at(-1)
  const isRefused = exchange.status !== undefined && exchange.status >= 400 && exchange.status < 500
  if (!isRefused || last === undefined) return statusAndBody(exchange)
  const others = last.caller === exchange.caller ? '' : ' with other credentials'
  const ms = Math.round(exchange.sentAt - last.endedAt)
  const name = same === undefined ? nameOf(last) : 'the same request'
  return `${statusAndBody(exchange)}, ${ms} ms after ${name}${others} (${last.status})`
}

/** Whether a response says that something does not exist. */
export function isMissing({ status }: Exchange): boolean {
  return status === 404 || status === 410
}

/**
 * Returns whether a body is an object with at least one field of a table. An object without any is of another kind, such as one
 * that contains the expected object.
 */
export const hasFieldOf =
  ({ fields }: Pick<FieldTable, 'fields'>) =>
  (body: unknown): boolean =>
    isObject(body) && fields.some(({ name }) => Object.hasOwn(body, name))

/** Verifies a complete 2xx response with a body of a kind, such as "a run". */
export function responds(subject: Subject, kind: string, isKind = isObject as (body: unknown) => boolean) {
  const { exchange } = subject
  if (exchange.accepted && isKind(exchange.json)) return undefined
  const name = `the response to ${nameOf(exchange)}${asUser(exchange)}`
  return mismatch(name, `a 2xx response with ${kind}`, statusInContext(subject))
}

const furtherUsers: Readonly<Record<string, string>> = {
  bob: ' as the second user',
  studio: ' as the user of the development UI',
  other: ' in the other workspace',
}

/** Says which user sends a request, unless it is the usual one. */
export function asUser({ user }: Pick<Exchange, 'user'>): string {
  return furtherUsers[user] ?? ''
}

/** Whether a body is an array that contains only objects. */
export function isArrayOfObjects(body: unknown): boolean {
  return Array.isArray(body) && body.every(isObject)
}

/**
 * Whether the server creates threads for the caller of a request. If not, it refuses the credentials, which fails another
 * requirement.
 */
export function acceptsCaller(model: EndpointModel, exchange: Exchange): boolean {
  return select(model, threadCreators).includes(exchange.caller)
}

const threadCreators = (model: EndpointModel): Iterable<string> =>
  new Set(model.of('POST /threads').map(({ caller }) => caller))

/** Names an exchange by its operation, without ids. */
export function nameOf({ operation, method, url }: Exchange): string {
  return operation ?? `${method} ${url}`
}

/** Creates a rule: no two creations return the same id. */
export function freshIdRule<Model extends EndpointModel>(
  requirement: RequirementId,
  created: (model: Model) => Iterable<ShownObject>,
  idName: string,
): Rule<Model> {
  return rule(requirement, {
    *each(model: Model) {
      const first = new Map<string, Exchange>()
      const all = [...created(model)]
      for (const subject of all) {
        const id = keyOf(at(subject.value, idName))
        if (id === undefined) continue
        const earlier = first.get(id)
        if (earlier === undefined) first.set(id, subject.exchange)
        // If concurrent requests have the same id, others at the same time may be the reason.
        const isConcurrent = earlier !== undefined && areConcurrent(earlier, subject.exchange)
        const others = isConcurrent ? all.filter(({ exchange }) => areConcurrent(exchange, earlier)) : []
        const setup = [...(subject.setup ?? []), earlier, ...others.map(({ exchange }) => exchange)]
        yield { ...subject, id, setup, earlier }
      }
    },
    evaluate: ({ exchange, id, earlier }) =>
      earlier === undefined
        ? undefined
        : mismatch(
            `\`${idName}\` in the response to ${nameOf(exchange)}`,
            'a new id',
            `the id of an earlier one, ${id}, of ${earlier.method} ${new URL(earlier.url).pathname}`,
          ),
  })
}

/** Creates a rule: no object was updated before it was created. */
export function updatedNotBeforeCreatedRule<Model extends EndpointModel>(
  requirement: RequirementId,
  each: (model: Model) => Iterable<ShownObject>,
): Rule<Model> {
  return rule(requirement, {
    each,
    evaluate: ({ exchange, value }) => {
      if (!updatedBeforeCreated(value)) return undefined
      const times = { created_at: at(value, 'created_at'), updated_at: at(value, 'updated_at') }
      return mismatch(`\`updated_at\` in the response to ${nameOf(exchange)}`, 'a time not before `created_at`', times)
    },
  })
}
