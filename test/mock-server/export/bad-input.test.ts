import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportContext, SESSION } from '../../fixtures/export-context.ts'
import { FULL, faultyBucket } from '../../fixtures/faulty-bucket.ts'

const FIELDS = [
  ...['bulk_export_destination_id', 'session_id', 'start_time', 'end_time', 'filter', 'interval_hours', 'status'],
  ...['export_fields', 'compression', 'format', 'destination_type', 'display_name', 'config', 'credentials', 'prefix'],
  ...['bucket_name', 'region', 'endpoint_url', 'config_kwargs_s3', 'access_key_id', 'secret_access_key', 'id'],
  ...['constructor', 'toString', 'hasOwnProperty', 'then', 'session_token'],
]
const WORDS = [
  ...['s3', 'exports', 'Parquet', 'gzip', 'Cancelled', 'eq(name, "a")', 'and(', 'id', 'inputs', SESSION, 'eu-1'],
  ...['2026-01-01T00:00:00Z', '2026-01-02T00:00:00.123456789+23:59', '0000-01-01T00:00:00Z', '..', '/', 'ftp://x'],
]

/** Random JSON built from field names and values of the API. */
const anyJson = fc.letrec((self) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, null, true, 0, -1, 1, 168, 1.5, 1e300, ''),
    fc.string({ unit: 'binary' }),
    fc.array(self('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), self('value'), { maxKeys: 5 }),
  ),
})).value

test('no body causes a 5xx, and a rejected body changes nothing', async () => {
  const context = await exportContext()
  const { id } = await context.create({ start_time: '2026-01-10T00:00:00Z', end_time: undefined, interval_hours: 168 })
  const exportBody = {
    bulk_export_destination_id: context.destination,
    session_id: SESSION,
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-02T00:00:00Z',
  }
  const destinationBody = {
    destination_type: 's3',
    display_name: 'a',
    config: { bucket_name: 'exports', endpoint_url: context.bucket.endpoint },
    credentials: FULL,
  }
  const requests = [
    { method: 'POST', path: '', valid: exportBody },
    { method: 'POST', path: '/destinations', valid: destinationBody },
    {
      method: 'PATCH',
      path: `/destinations/${context.destination}`,
      valid: { credentials: destinationBody.credentials },
    },
    { method: 'PATCH', path: `/${id}`, valid: {} },
  ]
  const changes = fc.dictionary(fc.constantFrom(...FIELDS), anyJson, { maxKeys: 3 })
  const resourceIds = async (): Promise<unknown[]> => [
    ...(await context.api.ok('GET', '')).map(({ id }: { id: string }) => id),
    ...(await context.api.ok('GET', '/destinations')).map(({ id }: { id: string }) => id),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...requests),
      fc.oneof(changes, anyJson),
      async ({ method, path, valid }, change) => {
        const isObject = typeof change === 'object' && change !== null && !Array.isArray(change)
        const before = await resourceIds()
        const { status } = await context.api.send(method, path, isObject ? { ...valid, ...change } : change)
        expect(status).toBeLessThan(500)
        if (status >= 400) expect(await resourceIds()).toEqual(before)
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test('no path, query or header causes a 5xx', async () => {
  const context = await exportContext()
  const { id } = await context.create()
  const segment = fc.oneof(
    fc.constantFrom('runs', 'destinations', id, SESSION, context.destination, '..', '%ff', '', '%2e%2e%2f'),
    fc.webSegment(),
  )
  const header = fc.oneof(
    fc.constantFrom('touchstone-enterprise', SESSION),
    fc.stringMatching(/^[\x21-\x7e\x80-\xff]*$/),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      fc.array(segment, { maxLength: 4 }),
      fc.oneof(fc.webQueryParameters(), fc.constantFrom('limit=1e3', 'offset=99999999999999999', 'limit=1&limit=2')),
      fc.option(fc.tuple(header, header), { nil: undefined }),
      async (method, path, query, headers) => {
        const [key, tenant] = headers ?? []
        const credentialHeaders =
          key === undefined || tenant === undefined ? undefined : { 'X-API-Key': key, 'X-Tenant-Id': tenant }
        const response = await context.mock.fetch(
          new Request(`http://mock/api/v1/bulk-exports/${path.join('/')}?${query}`, {
            method,
            headers: credentialHeaders ?? {
              'X-API-Key': 'touchstone-enterprise',
              'X-Tenant-Id': '00000000-0000-4000-8000-00000000000a',
            },
          }),
        )
        expect(response.status).toBeLessThan(500)
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test('no response contains a credential', async () => {
  const credentials = {
    access_key_id: 'canary-key-7f3a',
    secret_access_key: 'canary-secret-91bc',
    session_token: 'canary-token-55de',
  }
  const { access_key_id, secret_access_key } = credentials
  const context = await exportContext({ bucket: await faultyBucket(credentials) })
  const config = { bucket_name: 'exports', endpoint_url: context.bucket.endpoint }
  const whole = { destination_type: 's3', display_name: 'a', config, credentials }
  const responses: string[] = []
  const bodies = [
    whole,
    { ...whole, credentials: [credentials] },
    { ...whole, credentials: secret_access_key },
    { ...whole, credentials: { ...credentials, access_key_id: { nested: secret_access_key } } },
    { ...whole, config: { ...config, endpoint_url: `http://${access_key_id}:${secret_access_key}@127.0.0.1:1` } },
    `${JSON.stringify(whole)},`,
    JSON.stringify(whole).slice(0, -20),
  ]
  for (const body of bodies) {
    for (const [method, path] of [
      ['POST', '/destinations'],
      ['PATCH', `/destinations/${context.destination}`],
    ] as const) {
      responses.push((await context.api.send(method, path, body)).text)
    }
  }
  await context.api.ok('PATCH', `/destinations/${context.destination}`, { credentials })
  const destinations = await context.api.send('GET', '/destinations')
  expect(destinations.body).toHaveLength(2)
  responses.push(destinations.text)
  for (const canary of Object.values(credentials)) {
    for (const form of [
      canary,
      Buffer.from(canary).toString('base64').replace(/=+$/, ''),
      encodeURIComponent(canary),
    ]) {
      expect(responses.join('\n')).not.toContain(form)
    }
  }
})
