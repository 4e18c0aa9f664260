import type { RecordedRequest } from '../../scripting/recording.ts'
import { ID, TIME } from './values.ts'

/** A request as a replay compares it. */
export interface ComparedRequest {
  readonly method: string
  /** The path without its query, with `{id}` in place of ids. */
  readonly path: string
  /** The values of the query, of `Last-Event-ID` and of the body, by name, with `{id}` and `{time}` in place of ids and times. */
  readonly fields: ReadonlyMap<string, string>
  /** The ids in the path and the fields, in order and in lower case. */
  readonly ids: readonly string[]
}

/** A field in which two requests differ; undefined where one of them does not have it. */
export interface Difference {
  readonly field: string
  readonly recorded: string | undefined
  readonly received: string | undefined
}

/** Returns a request as a replay compares it. The order of keys and of query parameters does not matter. */
export function comparedRequest({ method, path, lastEventId, body }: RecordedRequest): ComparedRequest {
  const { pathname, searchParams } = new URL(`http://mock${path}`)
  const ids: string[] = []
  const withoutIds = (text: string): string =>
    text.replaceAll(ID, (id) => {
      ids.push(id.toLowerCase())
      return '{id}'
    })
  const plainPath = withoutIds(pathname)
  const values = [
    ...[...searchParams].toSorted(byName).map(([name, value]): [string, string] => [`query.${name}`, value]),
    ...(lastEventId === undefined ? [] : [['Last-Event-ID', lastEventId] as const]),
    ...(body === undefined ? [] : leavesOf('body', body)),
  ]
  const fields = new Map(
    values.map(([name, value]) => [withoutIds(name), withoutIds(value).replaceAll(TIME, '{time}')]),
  )
  return { method, path: plainPath, fields, ids }
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other)
}

function leavesOf(name: string, value: unknown): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return [[name, JSON.stringify(value)]]
  }
  return Object.entries(value)
    .toSorted(byKey)
    .flatMap(([key, inner]) => leavesOf(`${name}.${key}`, inner))
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return byName([one, ''], [other, ''])
}

/** Returns the fields in which two requests to the same path differ. */
export function differencesOf(recorded: ComparedRequest, received: ComparedRequest): Difference[] {
  const names = new Set([...recorded.fields.keys(), ...received.fields.keys()])
  return [...names]
    .map((field) => ({ field, recorded: recorded.fields.get(field), received: received.fields.get(field) }))
    .filter((difference) => !isSame(difference))
}

/** A secret that was removed from the recording is equal to any text. */
function isSame({ recorded, received }: Difference): boolean {
  if (recorded === received) return true
  if (recorded === undefined || received === undefined || !recorded.includes('[redacted]')) return false
  // No regular expression: many secrets in a field would make it slow.
  const [first = '', ...rest] = recorded.split('[redacted]')
  if (!received.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let position = first.length
  for (const part of rest) {
    const index = received.indexOf(part, position)
    if (index < 0) return false
    position = index + part.length
  }
  return received.length - last.length >= position && received.endsWith(last)
}

/** Returns the request that is most similar to another one. */
export function nearestTo<T extends { readonly compared: ComparedRequest }>(
  received: ComparedRequest,
  requests: readonly T[],
): T | undefined {
  // A different path counts more than a different method, which counts more than different fields.
  const distance = ({ compared }: T): number => {
    const segments = compared.path.split('/')
    const others = received.path.split('/')
    const different = segments.filter((segment, index) => segment !== others[index]).length
    const path = different + Math.max(0, others.length - segments.length)
    return 1000 * path + (compared.method === received.method ? 0 : 500) + differencesOf(compared, received).length
  }
  let nearest: { request: T; distance: number } | undefined
  for (const request of requests) {
    const candidate = { request, distance: distance(request) }
    if (nearest === undefined || candidate.distance < nearest.distance) nearest = candidate
  }
  return nearest?.request
}
