import { expect, test } from 'vitest'
import type { MockServerOptions } from '../../../mock-server/index.ts'
import { controlClient, openMock } from '../../fixtures/control-client.ts'

const controlled = (journal: NonNullable<MockServerOptions['journal']>) => controlClient(openMock({ journal })).call

test('reads, filters, exports and clears the journal, which excludes the control plane', async () => {
  const call = controlled(true)
  await call('POST', '/threads', {})
  await call('GET', '/ok')
  const route = encodeURIComponent('POST /threads')
  expect((await call('GET', `/__touchstone/journal?route=${route}&status=200`)).body).toMatchObject({
    calls: [{ id: 1, route: 'POST /threads', requestBody: {} }],
    dropped: 0,
  })
  expect((await call('GET', '/__touchstone/journal?after=1')).body).toMatchObject({ calls: [{ id: 2 }] })
  expect((await call('GET', '/__touchstone/journal.har')).body).toMatchObject({ log: { entries: { length: 2 } } })
  expect((await call('DELETE', '/__touchstone/journal')).status).toBe(200)
  expect((await call('GET', '/__touchstone/journal')).body).toEqual({ calls: [], dropped: 0 })
})

test('waits for calls and times out with 408', async () => {
  const call = controlled(true)
  const path = `/__touchstone/journal/wait?route=${encodeURIComponent('GET /ok')}`
  const waiting = call('GET', `${path}&count=2`)
  await call('GET', '/ok')
  await call('GET', '/ok')
  expect(await waiting).toMatchObject({ status: 200, body: { calls: [{ id: 1 }, { id: 2 }] } })
  expect(await call('GET', `${path}&count=3&timeout_ms=1`)).toEqual({
    status: 408,
    body: {
      detail: expect.stringContaining('Expected 3 answered requests with {"route":"GET /ok"} within 1 ms, received 2'),
    },
  })
})

test.each([
  ['route=threads', 'Field "route": expected a route such as'],
  ['status=ok', 'Field "status": expected a whole number from 100 to 599'],
  ['until=now', 'Field "until"'],
  ['timeout_ms=3600000', 'Field "timeout_ms": expected a whole number from 0 to 60000'],
  [
    'rout=x',
    'The query: unknown key "rout"; expected only route, method, status, ids, after, webhook, count, timeout_ms, until',
  ],
])('rejects waiting with %s', async (query, message) => {
  const response = await controlled(true)('GET', `/__touchstone/journal/wait?${query}`)
  expect(response).toEqual({ status: 422, body: { detail: expect.stringContaining(message) } })
})

test('verifies the requests, and returns 417 with the difference', async () => {
  const call = controlled(true)
  await call('POST', '/threads', { metadata: { topic: 'spring' } })
  await call('GET', '/ok')
  const verify = (body: unknown) => call('POST', '/__touchstone/verify', body)
  const create = { route: 'POST /threads', body: { metadata: { topic: 'spring' } }, times: 1 }
  expect(await verify({ calls: [create, { route: 'GET /ok' }], inOrder: true, nothingElse: true })).toEqual({
    status: 200,
    body: {},
  })
  expect(await verify({ calls: [{ ...create, times: 2 }] })).toEqual({
    status: 417,
    body: expect.stringContaining('received 1:\n  request 1, POST /threads (200)'),
  })
  expect(await verify({ calls: [{ rout: 'GET /ok' }] })).toEqual({
    status: 422,
    body: { detail: expect.stringContaining('Field "calls.0": unknown key "rout"') },
  })
})

test('returns the report of the client', async () => {
  const call = controlled(true)
  await call('POST', '/assistants/search', { limit: '10' })
  expect(await call('GET', '/__touchstone/client-report')).toMatchObject({
    status: 200,
    body: { version: 2, verdict: { result: 'non-conformant' } },
  })
  expect((await controlled(false)('GET', '/__touchstone/client-report')).status).toBe(404)
})

test('a verification of a journal that dropped requests is refused', async () => {
  const call = controlled({ maxEntries: 1 })
  await call('GET', '/ok')
  await call('GET', '/ok')
  expect(await call('POST', '/__touchstone/verify', { calls: [{ route: 'GET /ok' }] })).toEqual({
    status: 422,
    body: { detail: expect.stringContaining('received one that dropped 1') },
  })
})

test('returns 404 with a remedy when the journal is off', async () => {
  const response = await controlled(false)('GET', '/__touchstone/journal')
  expect(response).toEqual({
    status: 404,
    body: { detail: expect.stringContaining('start the server with --journal') },
  })
})
