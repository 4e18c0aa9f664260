import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { clientOf, eventsOf, type MockClient, say } from '../../fixtures/mock-client.ts'

const STREAM = 'POST /threads/{thread_id}/runs/stream'

/** A client of a server with these faults, and a function that streams four events. */
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

const events = async (response: Response): Promise<(string | undefined)[]> =>
  (await eventsOf(response)).map(({ event }) => event)

test('a stream without a fault is complete', async () => {
  expect(await events(await faulty().stream4())).toEqual(['metadata', 'values', 'values', 'values'])
})

test('latency delays a request by the clock before it is executed', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const mock = createMockServer({ clock, faults: [{ type: 'latency', ms: 60_000, route: 'POST /threads' }] })
  const response = clientOf(mock).send('POST', '/threads', {})
  await clock.advance(60_000)
  expect(await (await response).json()).toMatchObject({ created_at: '2026-01-01T00:01:00.000000+00:00' })
})

test('an aborted request is not executed after its latency', async () => {
  const mock = createMockServer({ faults: [{ type: 'latency', ms: 3_600_000, route: 'POST /threads' }] })
  const controller = new AbortController()
  const response = mock.fetch(
    new Request('http://mock/threads', { method: 'POST', body: '{}', signal: controller.signal }),
  )
  controller.abort()
  await expect(response).rejects.toThrow('aborted')
  expect(await clientOf(mock).get('/threads')).toEqual([])
})

test('status replaces the response with its status, body and headers', async () => {
  const { send, get } = faulty(
    { type: 'status', status: 503, nth: 1, body: { error: 'down' }, headers: { 'x-trace': '7' } },
    { type: 'status', status: 502, nth: 2, body: '<html>Bad gateway</html>' },
    { type: 'status', status: 500, nth: 3 },
    { type: 'status', status: 204, nth: 4 },
  )
  const [unavailable, gateway, plain, empty] = await Promise.all([1, 2, 3, 4].map(() => send('POST', '/threads', {})))
  expect([unavailable?.status, await unavailable?.json(), unavailable?.headers.get('x-trace')]).toEqual([
    503,
    { error: 'down' },
    '7',
  ])
  expect([gateway?.status, await gateway?.text()]).toEqual([502, '<html>Bad gateway</html>'])
  expect([plain?.status, await plain?.json()]).toEqual([500, { detail: expect.stringContaining('fault') }])
  expect([empty?.status, await empty?.text()]).toEqual([204, ''])
  expect(await get('/threads')).toEqual([])
})

test('carriedOut executes the request whose response is replaced', async () => {
  const { send, get } = faulty({ type: 'status', status: 504, first: 1, carriedOut: true })
  expect((await send('POST', '/threads', {})).status).toBe(504)
  expect(await get('/threads')).toHaveLength(1)
})

test('rate-limit returns 429 with Retry-After', async () => {
  const response = await faulty({ type: 'rate-limit', retryAfter: 7 }).send('GET', '/ok')
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
})

test('malformed-json truncates the JSON of a response or an event', async () => {
  const { send } = faulty({ type: 'malformed-json' })
  const text = await (await send('GET', '/ok')).text()
  expect(text).toBe('{"ok":')
  const response = await faulty({ type: 'malformed-json', event: 2, route: STREAM }).stream4()
  const [first = '', second = '', third = ''] = (await response.text()).split('\n\n')
  expect([isJson(data(first)), isJson(data(second)), isJson(data(third))]).toEqual([true, false, true])
})

test('cut ends a stream early without an error', async () => {
  expect(await events(await faulty({ type: 'cut', after: 2 }).stream4())).toEqual(['metadata', 'values'])
  expect(await events(await faulty({ type: 'cut', after: 0 }).stream4())).toEqual([])
})

test('stall pauses a stream for its time', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const mock = createMockServer({ clock, faults: [{ type: 'stall', after: 1, ms: 60_000 }] })
  const client = clientOf(mock)
  const { thread_id } = await client.thread()
  const path = `/threads/${thread_id}/runs/stream`
  const response = await client.send('POST', path, { assistant_id: 'echo', stream_mode: ['values'], ...say('hi') })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('event: metadata')
  const next = reader?.read()
  await clock.advance(60_000)
  expect((await next)?.value).toContain('event: values')
})

test('a reader can cancel a stalled stream', async () => {
  const response = await faulty({ type: 'stall', after: 1 }).stream4()
  const reader = response.body?.getReader()
  await reader?.read()
  const never = reader?.read()
  await reader?.cancel()
  expect(await never).toEqual({ done: true, value: undefined })
})

test('duplicate sends an event twice', async () => {
  const events = await eventsOf(await faulty({ type: 'duplicate', event: 2 }).stream4())
  expect(events.map(({ id }) => id)).toEqual(['0', '1', '1', '2', '3'])
})

test('broken-utf8 truncates a character of a response or an event', async () => {
  const strict = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const { send } = faulty({ type: 'broken-utf8' })
  const ascii = await (await send('GET', '/ok')).bytes()
  expect(() => strict(ascii)).toThrow()
  const stream = await (await faulty({ type: 'broken-utf8', event: 2 }).stream4()).bytes()
  expect(() => strict(stream)).toThrow()
  expect(new TextDecoder().decode(stream)).toContain('Gr\uFFFD\u00DFe')
})

test('split-utf8 splits a character across two chunks', async () => {
  const body = (await faulty({ type: 'split-utf8', event: 2 }).stream4()).body
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  const strict = new TextDecoder('utf-8', { fatal: true })
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(chunks[1])).toThrow()
  expect(chunks.map((chunk) => strict.decode(chunk, { stream: true })).join('')).toContain('Grüße')
})

test('reset throws the errors of a real fetch', async () => {
  await expect(faulty({ type: 'reset' }).send('GET', '/ok')).rejects.toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNRESET' },
  })
  const response = await faulty({ type: 'reset', after: 1 }).stream4()
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: metadata')
  await expect(reader?.read()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } })
})

test('faults can be combined', async () => {
  const { stream4 } = faulty({ type: 'duplicate', event: 1, route: STREAM }, { type: 'cut', after: 2, route: STREAM })
  expect(await events(await stream4())).toEqual(['metadata', 'metadata', 'values'])
})

test('responses of faults have CORS headers, and preflight requests have no faults', async () => {
  const mock = createMockServer({ faults: [{ type: 'rate-limit' }] })
  const headers = { origin: 'http://page.test', 'access-control-request-method': 'POST' }
  const preflight = await mock.fetch(new Request('http://mock/threads', { method: 'OPTIONS', headers }))
  expect(preflight.status).toBe(204)
  const response = await mock.fetch(new Request('http://mock/threads', { headers: { origin: 'http://page.test' } }))
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
  expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After')
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
