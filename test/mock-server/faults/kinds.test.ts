import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/manual-clock.ts'
import { clientOf, eventsOf, type MockClient, say } from '../../fixtures/mock-client.ts'

const STREAM = 'POST /threads/{thread_id}/runs/stream'

/** A client of a server on which these faults lie, and a stream of four events. */
function faulty(...faults: Fault[]): MockClient & { stream4(): Promise<Response> } {
  const mock = createMockServer({ faults })
  onTestFinished(() => mock.close())
  const client = clientOf(mock)
  return {
    ...client,
    stream4: async () => {
      const { thread_id } = await client.thread()
      const body = { assistant_id: 'echo', stream_mode: ['values'], ...say('Grüße') }
      return client.send('POST', `/threads/${thread_id}/runs/stream`, body)
    },
  }
}

const events = async (answer: Response): Promise<(string | undefined)[]> =>
  (await eventsOf(answer)).map(({ event }) => event)

test('without a fault the stream has its events', async () => {
  expect(await events(await faulty().stream4())).toEqual(['metadata', 'values', 'values', 'values'])
})

test('latency passes by the clock, before the request is carried out', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const mock = createMockServer({ clock, faults: [{ type: 'latency', ms: 60_000, route: 'POST /threads' }] })
  const answer = clientOf(mock).send('POST', '/threads', {})
  await clock.advance(60_000)
  expect(await (await answer).json()).toMatchObject({ created_at: '2026-01-01T00:01:00.000000+00:00' })
})

test('a client that does not want to wait gives up, and the server has seen nothing', async () => {
  const mock = createMockServer({ faults: [{ type: 'latency', ms: 3_600_000, route: 'POST /threads' }] })
  const leaving = new AbortController()
  const answer = mock.fetch(new Request('http://mock/threads', { method: 'POST', body: '{}', signal: leaving.signal }))
  leaving.abort()
  await expect(answer).rejects.toThrow('aborted')
  expect(await clientOf(mock).get('/threads')).toEqual([])
})

test('a status stands in place of the answer, with the body and the headers that are wanted', async () => {
  const { send, get } = faulty(
    { type: 'status', status: 503, nth: 1, body: { error: 'away' }, headers: { 'x-trace': '7' } },
    { type: 'status', status: 502, nth: 2, body: '<html>Bad gateway</html>' },
    { type: 'status', status: 500, nth: 3 },
    { type: 'status', status: 204, nth: 4 },
  )
  const [away, gateway, plain, empty] = await Promise.all([1, 2, 3, 4].map(() => send('POST', '/threads', {})))
  expect([away?.status, await away?.json(), away?.headers.get('x-trace')]).toEqual([503, { error: 'away' }, '7'])
  expect([gateway?.status, await gateway?.text()]).toEqual([502, '<html>Bad gateway</html>'])
  expect([plain?.status, await plain?.json()]).toEqual([500, { detail: expect.stringContaining('fault') }])
  expect([empty?.status, await empty?.text()]).toEqual([204, ''])
  expect(await get('/threads')).toEqual([])
})

test('a request can be carried out although its answer is lost', async () => {
  const { send, get } = faulty({ type: 'status', status: 504, first: 1, carriedOut: true })
  expect((await send('POST', '/threads', {})).status).toBe(504)
  expect(await get('/threads')).toHaveLength(1)
})

test('too many requests, and when to come back', async () => {
  const answer = await faulty({ type: 'rate-limit', retryAfter: 7 }).send('GET', '/ok')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
})

test('half of the JSON of an answer, and of an event', async () => {
  const { send } = faulty({ type: 'malformed-json' })
  const text = await (await send('GET', '/ok')).text()
  expect(text).toBe('{"ok":')
  const answer = await faulty({ type: 'malformed-json', event: 2, route: STREAM }).stream4()
  const [first = '', second = '', third = ''] = (await answer.text()).split('\n\n')
  expect([isJson(data(first)), isJson(data(second)), isJson(data(third))]).toEqual([true, false, true])
})

test('a stream that ends too early looks complete', async () => {
  expect(await events(await faulty({ type: 'cut', after: 2 }).stream4())).toEqual(['metadata', 'values'])
  expect(await events(await faulty({ type: 'cut', after: 0 }).stream4())).toEqual([])
})

test('a stalled stream stays open and goes on when its time has come', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const mock = createMockServer({ clock, faults: [{ type: 'stall', after: 1, ms: 60_000 }] })
  const client = clientOf(mock)
  const { thread_id } = await client.thread()
  const path = `/threads/${thread_id}/runs/stream`
  const answer = await client.send('POST', path, { assistant_id: 'echo', stream_mode: ['values'], ...say('hi') })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('event: metadata')
  const next = reader?.read()
  await clock.advance(60_000)
  expect((await next)?.value).toContain('event: values')
})

test('a reader can leave a stream that has stalled for good', async () => {
  const answer = await faulty({ type: 'stall', after: 1 }).stream4()
  const reader = answer.body?.getReader()
  await reader?.read()
  const never = reader?.read()
  await reader?.cancel()
  expect(await never).toEqual({ done: true, value: undefined })
})

test('an event comes twice', async () => {
  const events = await eventsOf(await faulty({ type: 'duplicate', event: 2 }).stream4())
  expect(events.map(({ id }) => id)).toEqual(['0', '1', '1', '2', '3'])
})

test('half a character is no UTF-8, in an answer and in an event', async () => {
  const strict = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const { send } = faulty({ type: 'broken-utf8' })
  const ascii = await (await send('GET', '/ok')).bytes()
  expect(() => strict(ascii)).toThrow()
  const stream = await (await faulty({ type: 'broken-utf8', event: 2 }).stream4()).bytes()
  expect(() => strict(stream)).toThrow()
  expect(new TextDecoder().decode(stream)).toContain('Gr\uFFFD\u00DFe')
})

test('a character in two pieces is whole again when they are joined', async () => {
  const body = (await faulty({ type: 'split-utf8', event: 2 }).stream4()).body
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  const strict = new TextDecoder('utf-8', { fatal: true })
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(chunks[1])).toThrow()
  expect(chunks.map((chunk) => strict.decode(chunk, { stream: true })).join('')).toContain('Grüße')
})

test('a reset connection looks as it does to fetch', async () => {
  await expect(faulty({ type: 'reset' }).send('GET', '/ok')).rejects.toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNRESET' },
  })
  const answer = await faulty({ type: 'reset', after: 1 }).stream4()
  const reader = answer.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: metadata')
  await expect(reader?.read()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } })
})

test('faults add up', async () => {
  const { stream4 } = faulty({ type: 'duplicate', event: 1, route: STREAM }, { type: 'cut', after: 2, route: STREAM })
  expect(await events(await stream4())).toEqual(['metadata', 'metadata', 'values'])
})

test('a page of another origin can read an answer that a fault gives, and its preflight meets none', async () => {
  const mock = createMockServer({ faults: [{ type: 'rate-limit' }] })
  const headers = { origin: 'http://page.test', 'access-control-request-method': 'POST' }
  const preflight = await mock.fetch(new Request('http://mock/threads', { method: 'OPTIONS', headers }))
  expect(preflight.status).toBe(204)
  const answer = await mock.fetch(new Request('http://mock/threads', { headers: { origin: 'http://page.test' } }))
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
  expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
})

function data(frame: string): string {
  return /^data: (.*)$/m.exec(frame)?.[1] ?? ''
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
