import { describe, expect, onTestFinished, test } from 'vitest'
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { destinationIn, type ExportClient, exportClient, PLUS } from '../../fixtures/export-client.ts'
import { FULL, faultyBucket, NO_DELETE, NOTHING, TEMPORARY, UNKNOWN } from '../../fixtures/faulty-bucket.ts'
import { httpServer } from '../../fixtures/http-server.ts'

function client(options: MockServerOptions['export'] = {}): ExportClient {
  const mock = createMockServer({ export: options })
  onTestFinished(() => mock.close())
  return exportClient(mock)
}

test('registers a destination after writing and deleting a test file', async () => {
  const bucket = await faultyBucket()
  const api = client()
  const destination = await api.ok('POST', '/destinations', destinationIn(bucket, FULL))
  expect(destination).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tenant_id: '00000000-0000-4000-8000-00000000000a',
    destination_type: 's3',
    display_name: 'test',
    config: {
      bucket_name: 'exports',
      prefix: 'traces',
      region: null,
      endpoint_url: bucket.endpoint,
      config_kwargs_s3: { addressing_style: 'auto' },
    },
    credentials_keys: ['access_key_id', 'secret_access_key'],
    created_at: expect.stringMatching(/\+00:00$/),
    updated_at: expect.stringMatching(/\+00:00$/),
  })
  expect(bucket.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    expect.stringMatching(/^PUT \/exports\/traces\/tmp\/[0-9a-f-]+\.txt$/),
    expect.stringMatching(/^DELETE \/exports\/traces\/tmp\/[0-9a-f-]+\.txt$/),
  ])
  expect(await bucket.keys()).toEqual([])
  expect(await api.ok('GET', `/destinations/${destination.id}`)).toEqual(destination)
  expect(await api.ok('GET', '/destinations')).toEqual([destination])
})

test('registers a destination without permission to delete, and leaves the test file', async () => {
  const bucket = await faultyBucket()
  await client().ok('POST', '/destinations', destinationIn(bucket, NO_DELETE))
  expect(await bucket.keys()).toEqual([expect.stringMatching(/^traces\/tmp\//)])
})

describe('rejects a destination with the documented error', () => {
  test.each([
    ['without permission', NOTHING, {}, 'Access denied'],
    ['with an unknown bucket', FULL, { bucket_name: 'not-there' }, 'Bucket is not valid'],
    ['with an invalid bucket name', FULL, { bucket_name: '-x-' }, 'Bucket is not valid'],
    ['with an unknown key id', UNKNOWN, {}, 'Key ID you provided does not exist'],
    ['with a closed port', FULL, { endpoint_url: 'http://127.0.0.1:1' }, 'Invalid endpoint'],
    ['with an unknown host', FULL, { endpoint_url: 'https://not-there.invalid' }, 'Invalid endpoint'],
    ['with an invalid URL', FULL, { endpoint_url: 'not an address' }, 'Invalid endpoint'],
    ['with an unsupported protocol', FULL, { endpoint_url: 'ftp://127.0.0.1' }, 'Invalid endpoint'],
    ['with a password in the URL', FULL, { endpoint_url: 'http://a:hunter2@127.0.0.1' }, 'Invalid endpoint'],
  ])('%s', async (_, credentials, config, message) => {
    const bucket = await faultyBucket()
    const api = client()
    const { status, body, text } = await api.send('POST', '/destinations', destinationIn(bucket, credentials, config))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.detail).toContain(message)
    const others = ['Access denied', 'Bucket is not valid', 'Key ID you provided does not exist', 'Invalid endpoint']
    for (const other of others) if (other !== message) expect(text).not.toContain(other)
    expect(text).not.toContain(credentials.secret_access_key)
    expect(text).not.toContain('hunter2')
    expect(await api.ok('GET', '/destinations')).toEqual([])
  })

  test.each<[string, number, Record<string, string>, string]>([
    ['an HTML page', 200, { 'content-type': 'text/html' }, '<html><body>welcome</body></html>'],
    ['an HTML page that says 404', 404, { 'content-type': 'text/html' }, '<html><body>no such page</body></html>'],
    ['JSON', 404, { 'content-type': 'application/json' }, '{"error":"not found"}'],
    ['an empty 403', 403, {}, ''],
    ['a redirect', 307, { location: 'http://127.0.0.1:1/elsewhere' }, ''],
    ['an endless response', 404, { 'content-type': 'text/html' }, 'x'.repeat(3 * 2 ** 20)],
    ['a broken server', 500, { 'content-type': 'text/html' }, '<html>oops</html>'],
  ])('with an endpoint that responds with %s', async (_, status, headers, body) => {
    const endpoint_url = await httpServer((request, response) => {
      request.resume()
      response.writeHead(status, headers).end(body)
    })
    const destination = {
      destination_type: 's3',
      display_name: 'test',
      config: { bucket_name: 'exports', endpoint_url },
      credentials: FULL,
    }
    const response = await client().send('POST', '/destinations', destination)
    expect(response.status).toBe(400)
    expect(response.body.detail).toContain('Invalid endpoint')
  })
})

test.each([
  ['', 'tmp/'],
  ['/', 'tmp/'],
  ['/a//b/', 'a/b/tmp/'],
  ['a.b/..c', 'a.b/..c/tmp/'],
])('normalizes the prefix %j to keys below %s', async (prefix, start) => {
  const bucket = await faultyBucket()
  await client().ok('POST', '/destinations', destinationIn(bucket, NO_DELETE, { prefix }))
  const [key] = await bucket.keys()
  expect(key?.startsWith(start)).toBe(true)
})

test.each(['..', 'a/../b', './a', 'a/..', 'a\\..\\b', 'a\u0000b', 'é'.repeat(400)])(
  'rejects the prefix %j',
  async (prefix) => {
    const bucket = await faultyBucket()
    const { status, body } = await client().send('POST', '/destinations', destinationIn(bucket, FULL, { prefix }))
    expect(status).toBe(422)
    expect(body.detail).toContain('config.prefix')
    expect(bucket.requests).toEqual([])
  },
)

test.each([
  ['neither region nor endpoint', { config: { endpoint_url: null } }, 'config.region'],
  ['no bucket', { config: { bucket_name: undefined } }, 'config.bucket_name'],
  ['an unknown type', { destination_type: 'gcs' }, 'destination_type'],
  ['no name', { display_name: undefined }, 'display_name'],
  ['no credentials', { credentials: undefined }, 'credentials'],
  ['half of the credentials', { credentials: { secret_access_key: 'canary' } }, 'credentials.access_key_id'],
  ['credentials of the wrong type', { credentials: 'canary' }, 'credentials'],
  ['a secret that is too long', { credentials: { ...FULL, secret_access_key: 'canary'.repeat(500) } }, 'secret'],
  ['a role', { config: { aws_role_arn: 'arn:aws:iam::1:role/r' } }, 'config.aws_role_arn'],
  ['a role outside of config', { aws_role_arn: 'arn:aws:iam::1:role/r' }, 'aws_role_arn'],
  [
    'additional parameters of writes',
    { config: { s3_additional_kwargs: { ACL: 'private' } } },
    'config.s3_additional_kwargs',
  ],
  ['a bucket in the endpoint', { config: { include_bucket_in_prefix: false } }, 'config.include_bucket_in_prefix'],
  [
    'an accelerated endpoint',
    { config: { config_kwargs_s3: { use_accelerate_endpoint: true } } },
    'config.config_kwargs_s3.use_accelerate_endpoint',
  ],
])('rejects %s with the name of the field', async (_, change, field) => {
  const bucket = await faultyBucket()
  const body = destinationIn(bucket, FULL, 'config' in change ? change.config : {})
  const response = await client().send('POST', '/destinations', 'config' in change ? body : { ...body, ...change })
  expect(response.status).toBe(422)
  expect(response.body.detail).toContain(field)
  expect(response.text).not.toContain('canary')
  expect(bucket.requests).toEqual([])
})

test('accepts fields of the public server with default values', async () => {
  const bucket = await faultyBucket()
  const config = { include_bucket_in_prefix: true, aws_role_arn: null, s3_additional_kwargs: {} }
  await client().ok('POST', '/destinations', { ...destinationIn(bucket, FULL, config), aws_role_arn: null })
})

test('rejects invalid JSON without repeating it', async () => {
  const response = await client().send('POST', '/destinations', '{"credentials":{"secret_access_key":"canary"')
  expect(response.status).toBe(400)
  expect(response.text).not.toContain('canary')
})

test('tests new credentials before it replaces the old ones', async () => {
  const bucket = await faultyBucket()
  const api = client()
  const { id, updated_at } = await api.ok('POST', '/destinations', destinationIn(bucket, FULL))
  const rejected = await api.send('PATCH', `/destinations/${id}`, { credentials: NOTHING })
  expect(rejected).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Access denied') } })
  expect(await api.ok('GET', `/destinations/${id}`)).toMatchObject({ updated_at })
  await api.ok('PATCH', `/destinations/${id}`, { credentials: NO_DELETE })
  expect(await bucket.keys()).toHaveLength(1)
  expect(await api.ok('PATCH', `/destinations/${id}`, { credentials: TEMPORARY })).toMatchObject({
    id,
    credentials_keys: ['access_key_id', 'secret_access_key', 'session_token'],
  })
})

test('sends the session token to the bucket', async () => {
  const bucket = await faultyBucket()
  await client().ok('POST', '/destinations', destinationIn(bucket, TEMPORARY))
  const stale = destinationIn(bucket, { ...TEMPORARY, session_token: 'of-yesterday' })
  const rejected = await client().send('POST', '/destinations', stale)
  expect(rejected).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Access denied') } })
})

describe('private addresses with privateAddresses: refuse', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.0.0.1'])(
    'never sends a request to %s',
    async (host) => {
      const bucket = await faultyBucket()
      const endpoint_url = `http://${host}:${new URL(bucket.endpoint).port}`
      const body = destinationIn(bucket, FULL, { endpoint_url })
      const { status, text } = await client({ privateAddresses: 'refuse' }).send('POST', '/destinations', body)
      expect(status).toBe(400)
      expect(text).toContain('private address')
      expect(bucket.requests).toEqual([])
    },
  )
})

describe('a self-hosted installation', () => {
  test('uses the credentials of its environment without credentials in the request', async () => {
    const bucket = await faultyBucket()
    process.env['AWS_ACCESS_KEY_ID'] = FULL.access_key_id
    process.env['AWS_SECRET_ACCESS_KEY'] = FULL.secret_access_key
    onTestFinished(() => {
      delete process.env['AWS_ACCESS_KEY_ID']
      delete process.env['AWS_SECRET_ACCESS_KEY']
    })
    const destination = await client({ selfHosted: true }).ok('POST', '/destinations', destinationIn(bucket, undefined))
    expect(destination.credentials_keys).toEqual([])
    expect(new Set(bucket.requests.map(({ keyId }) => keyId))).toEqual(new Set([FULL.access_key_id]))
  })

  test.each([
    ['0.10.34', '0.10.91', 200],
    ['0.10.34', '0.10.90', 422],
    ['0.10.33', '0.10.91', 422],
    ['0.11.0', '0.9.200', 422],
    ['v1.0', '1', 200],
  ])(
    'with chart %s and application %s responds to a session token with %d',
    async (chartVersion, appVersion, status) => {
      const bucket = await faultyBucket()
      const body = destinationIn(bucket, TEMPORARY)
      const response = await client({ selfHosted: true, chartVersion, appVersion }).send('POST', '/destinations', body)
      expect(response.status).toBe(status)
      if (status !== 200) expect(response.body.detail).toContain('credentials.session_token')
    },
  )
})

test('a destination is not visible in another workspace', async () => {
  const bucket = await faultyBucket()
  const api = client()
  const { id } = await api.ok('POST', '/destinations', destinationIn(bucket, FULL))
  expect(await api.ok('GET', '/destinations', undefined, PLUS)).toEqual([])
  expect((await api.send('GET', `/destinations/${id}`, undefined, PLUS)).status).toBe(404)
  expect((await api.send('PATCH', `/destinations/${id}`, { credentials: FULL }, PLUS)).status).toBe(404)
})
