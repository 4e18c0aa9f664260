import fc from 'fast-check'
import type { OpenApiValidator } from '../fixtures/openapi-validator.ts'

/** A request with any errors that a client library can still send. */
export interface BadRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/** Valid values, so that requests pass the first checks. */
const VALID: Readonly<Record<string, unknown>> = {
  assistant_id: 'echo',
  graph_id: 'echo',
  checkpoint: {},
  version: 1,
  thread_ids: [],
  status: 'all',
  as_node: 'first',
}
const WORDS = [
  'echo',
  'chat',
  'tools',
  'fail',
  'slow',
  'values',
  'human',
  'enqueue',
  'interrupt',
  'rollback',
  '*',
  '-1',
]
const EXPORT_KEYS = {
  'X-API-Key': 'touchstone-enterprise',
  'X-Tenant-Id': '00000000-0000-4000-8000-00000000000a',
}

/** Requests to every described endpoint and to other paths; `ids` are ids of existing resources. */
export function badRequests(expected: OpenApiValidator, ids: readonly string[]): fc.Arbitrary<BadRequest> {
  const fields = [...fieldsIn(expected.description), 'constructor', 'toString', '__proto__', 'then', '$eq']
  const value = badValue(fields)
  const id = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    fc.uuid(),
    fc.webSegment(),
    fc.constantFrom('%00', '..', '%ff', 'echo'),
  )
  const endpoint = fc.constantFrom(...expected.endpoints)
  const described = fc
    .tuple(endpoint, fc.array(id, { minLength: 3, maxLength: 3 }))
    .map(([{ method, path, operation }, pathIds]) => {
      let next = 0
      return { method, path: path.replace(/\{\w+\}/g, () => pathIds[next++] ?? ''), own: [...fieldsIn(operation)] }
    })
  const otherPaths = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      fc.array(fc.oneof(id, fc.constantFrom('threads', 'runs', 'state')), { maxLength: 6 }),
    )
    .map(([method, parts]) => ({ method, path: `/${parts.join('/')}`, own: fields }))
  return fc.oneof({ weight: 9, arbitrary: described }, otherPaths).chain(({ method, path, own }) =>
    fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      query: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.webQueryParameters(), nearQuery()),
      headers: headers(),
      body: method === 'GET' ? fc.constant(undefined) : bodies(own.length === 0 ? fields : own, value),
    }),
  )
}

function badValue(fields: readonly string[]): fc.Arbitrary<unknown> {
  return fc.letrec((self) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>(...WORDS, null, true, 0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER, '', {}, []),
      fc.string({ unit: 'binary' }),
      fc.uuid(),
      fc.array(self('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fields), self('value'), { maxKeys: 4 }),
    ),
  })).value
}

function bodies(fields: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<BadRequest['body']> {
  const valid = Object.fromEntries(Object.entries(VALID).filter(([field]) => fields.includes(field)))
  const text = (body: unknown): string => JSON.stringify(body)
  const nearlyValid = fc
    .dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 })
    .map((change) => text({ ...valid, ...change }))
  return fc.oneof(
    { weight: 6, arbitrary: nearlyValid },
    value.map(text),
    fc.tuple(nearlyValid, fc.nat()).map(([whole, cut]) => whole.slice(0, cut % (whole.length + 1))),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    fc.constantFrom(
      '['.repeat(5_000),
      `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
      '{"__proto__":{"a":1}}',
      'NaN',
      '\uFEFF{}',
    ),
    fc.constant(undefined),
  )
}

function headers(): fc.Arbitrary<Record<string, string>> {
  const value = fc.stringMatching(/^[ -~]{0,40}$/)
  const named = (name: string): fc.Arbitrary<Record<string, string>> => value.map((text) => ({ [name]: text }))
  const type = fc.constantFrom(
    'application/json',
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/json; charset=utf-16',
  )
  return fc
    .tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
        type.map((contentType) => ({ 'content-type': contentType })),
        fc.constant({}),
      ),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        ...['last-event-id', 'accept', 'origin', 'prefer', 'x-auth-scheme', 'x-touchstone'].map(named),
      ),
      fc.oneof({ weight: 4, arbitrary: fc.constant(EXPORT_KEYS) }, named('x-api-key'), named('x-tenant-id')),
    )
    .map((parts) => Object.assign({}, ...parts) as Record<string, string>)
}

function nearQuery(): fc.Arbitrary<string> {
  const name = fc.constantFrom(
    'limit',
    'offset',
    'status',
    'select',
    'stream_mode',
    'wait',
    'action',
    'before',
    'delete_threads',
  )
  const value = fc.oneof(fc.constantFrom('-1', '0', '1001', '1e9', 'values', 'true', '%', '%00', ''), fc.webSegment())
  return fc.array(fc.tuple(name, value), { maxLength: 3 }).map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
}

/** The names of all fields in a part of a description. */
function fieldsIn(part: unknown, names: Set<string> = new Set()): Set<string> {
  if (typeof part !== 'object' || part === null) return names
  if ('properties' in part && typeof part.properties === 'object' && part.properties !== null) {
    for (const name of Object.keys(part.properties)) names.add(name)
  }
  for (const inner of Object.values(part)) fieldsIn(inner, names)
  return names
}
