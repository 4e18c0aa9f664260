import { expect, test } from 'vitest'
import type { MockServer, MockServerOptions } from '../../../mock-server/index.ts'
import { controlClient, openMock } from '../../fixtures/control-client.ts'

const mockServer = (options: MockServerOptions = {}): MockServer => openMock({ journal: true, ...options })

function post(mock: MockServer, path: string, body: unknown): Promise<Response> {
  return mock.fetch(path, { method: 'POST', body: JSON.stringify(body) })
}

const input = { messages: [{ role: 'user', content: 'Hello!' }] }

test('the journal of one server becomes the recording of another', async () => {
  const mock = mockServer()
  await (await post(mock, '/threads', { metadata: { topic: 'spring' } })).json()
  const events = await (await post(mock, '/runs/stream', { assistant_id: 'echo', input })).text()

  const { recording, omitted } = mock.journal.session()
  expect(omitted).toEqual([])
  expect(recording).toMatchObject({ target: 'http://mock/', exchanges: [{ request: { path: '/threads' } }, {}] })
  const replay = mockServer({ scenario: { recording }, replay: { speed: 0 } })
  expect(await (await post(replay, '/threads', { metadata: { topic: 'spring' } })).json()).toMatchObject({
    metadata: { topic: 'spring' },
  })
  const replayed = await (await post(replay, '/runs/stream', { assistant_id: 'echo', input })).text()
  expect(replayed.match(/^event: .*$/gm)).toEqual(events.match(/^event: .*$/gm))
})

test('a recording has the chosen requests, without secrets and without deliveries of webhooks', async () => {
  const mock = mockServer({ webhooks: { fetch: async () => new Response() } })
  await mock.fetch('/ok', { headers: { 'x-api-key': 'key-of-ann' } })
  await post(mock, '/threads', { metadata: { note: 'by key-of-ann' } })
  await post(mock, '/runs/wait', { assistant_id: 'echo', input, webhook: 'https://hooks.example.com/ended' })
  await mock.journal.waitFor({ webhook: true })

  expect(mock.journal.session().recording.exchanges.map(({ request }) => request.path)).toEqual([
    '/ok',
    '/threads',
    '/runs/wait',
  ])
  const { recording } = mock.journal.session({ ids: [2] })
  expect(recording.exchanges).toMatchObject([{ request: { body: { metadata: { note: 'by [redacted]' } } } }])
})

test('a request whose body was cut is named instead', async () => {
  const mock = mockServer({ journal: { maxBytes: 20 } })
  await post(mock, '/threads', { metadata: { topic: 'a long text' } })
  const { recording, omitted } = mock.journal.session()
  expect({ exchanges: recording.exchanges, omitted }).toEqual({
    exchanges: [],
    omitted: ['POST /threads: a body is larger than 10 bytes'],
  })
})

test('over HTTP, chosen requests are saved as a scenario and as HAR', async () => {
  const mock = mockServer()
  for (const path of ['/ok', '/info', '/ok']) await mock.fetch(path)
  const { call } = controlClient(mock)
  const save = async (path: string, body: unknown) => (await call('POST', `/__touchstone/${path}`, body)).body
  const { scenario } = await save('journal/scenario', { ids: [2] })
  expect(scenario.recording.exchanges).toMatchObject([{ request: { method: 'GET', path: '/info' } }])
  expect(await save('journal.har', { ids: [1, 3] })).toMatchObject({ log: { entries: { length: 2 } } })
  expect(await save('journal.har', {})).toMatchObject({ log: { entries: { length: 3 } } })
  expect(await save('journal.har', { ids: ['1'] })).toEqual({ detail: expect.stringContaining('Field "ids.0"') })
})
