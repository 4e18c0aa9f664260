import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import type { RecordedExchange, Recording } from '../../mock-server/scripting/recording.ts'

const thread = '11111111-1111-4111-8111-111111111111'
const assistant = '6ba7b810-9dad-51d1-80b4-00c04fd430c8'
const startedAt = '2026-01-01T00:00:00.000Z'
const startMs = Date.parse(startedAt)

/** A recording of requests with their responses; each takes 100 ms. */
function recordingOf(
  ...exchanges: readonly (readonly [request: string, body: unknown, response: unknown])[]
): Recording {
  return {
    target: 'http://agent.test',
    startedAt,
    exchanges: exchanges.map(([request, body, response], index): RecordedExchange => {
      const [method = '', path = ''] = request.split(' ')
      return {
        atMs: index * 1000,
        request: { method, path, ...(body !== undefined && { body }) },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          afterMs: 100,
          body: [{ afterMs: 100, text: JSON.stringify(response) }],
        },
        tookMs: 100,
      }
    }),
  }
}

/** Sends requests such as `POST /threads` to a replay. */
function replayOf(recording: Recording) {
  const mock = createMockServer({ scenario: { recording }, replay: { speed: 0 }, journal: true })
  const send = async (request: string, body?: unknown, headers = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await mock.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests compare the shape
    return { status: response.status, json: (await response.json()) as any }
  }
  return { mock, send }
}

test('each session gets ids of its own, and its requests may use them', async () => {
  const { send } = replayOf(
    recordingOf(
      ['POST /threads', {}, { thread_id: thread, assistant_id: assistant }],
      [`GET /threads/${thread}/state`, undefined, { of: thread }],
    ),
  )
  const sessions = [await send('POST /threads', {}), await send('POST /threads', {})]
  const [one, other] = sessions.map(({ json }) => json.thread_id)

  expect(new Set([thread, one, other]).size).toBe(3)
  expect((await send(`GET /threads/${one}/state`)).json).toEqual({ of: one })
  expect((await send(`GET /threads/${other}/state`)).json).toEqual({ of: other })
  // An id that is made from a name is the same on every server.
  expect(sessions.map(({ json }) => json.assistant_id)).toEqual([assistant, assistant])
})

test('ids that the client chooses are those of the recording', async () => {
  const message = '22222222-2222-4222-8222-222222222222'
  const run = { input: { messages: [{ id: message, content: 'Hi' }] } }
  const { send } = replayOf(recordingOf([`POST /threads/${thread}/runs/wait`, run, { messages: [{ id: message }] }]))
  const [ownThread, own] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444']

  const { json } = await send(`POST /threads/${ownThread}/runs/wait`, {
    input: { messages: [{ content: 'Hi', id: own }] },
  })
  expect(json).toEqual({ messages: [{ id: own }] })
})

test('times of the session are shifted to its replay, in their own format', async () => {
  const clock = manualClock(Date.UTC(2030, 5, 1))
  const recording = recordingOf([
    'GET /threads',
    undefined,
    [`2026-01-01T00:00:00.123456+00:00`, '2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.5', '1999-12-31T23:59:59Z'],
  ])
  const mock = createMockServer({ scenario: { recording }, replay: { speed: 0 }, clock })

  expect(await (await mock.fetch('/threads')).json()).toEqual([
    '2030-06-01T00:00:00.123456+00:00',
    '2030-06-01T02:00:00+02:00',
    '2030-06-01T00:00:00.5',
    '1999-12-31T23:59:59Z',
  ])
})

test('the same request gets the next response, and a read the last one again', async () => {
  const { send, mock } = replayOf(
    recordingOf(
      ['POST /runs/wait', { assistant_id: 'a' }, 1],
      ['GET /status', undefined, 'pending'],
      ['POST /threads/count', {}, 5],
      ['GET /status', undefined, 'success'],
      ['POST /find', { a: 1, b: ['2026-01-01T00:00:00Z'] }, 'first'],
    ),
  )
  expect((await send('POST /runs/wait', { assistant_id: 'a' })).json).toBe(1)
  for (const expected of ['pending', 'success', 'success']) expect((await send('GET /status')).json).toBe(expected)
  for (const expected of [5, 5]) expect((await send('POST /threads/count', {})).json).toBe(expected)
  // The order of keys does not matter, and neither does a time.
  expect((await send('POST /find', { b: ['2027-01-01T00:00:00Z'], a: 1 })).json).toBe('first')
  expect((await send('POST /find', { b: ['2027-01-01T00:00:00Z'], a: 1 })).status).toBe(422)
  mock.reset()
  expect((await send('GET /status')).json).toBe('pending')
})

test('a request that was not recorded is refused with the nearest one', async () => {
  const { send, mock } = replayOf(
    recordingOf(
      ['POST /threads', { metadata: { topic: 'tea' } }, { thread_id: thread }],
      [`POST /threads/${thread}/runs`, { assistant_id: 'echo', input: { a: 1 } }, {}],
      ['GET /assistants?limit=10', undefined, []],
    ),
  )
  const { json } = await send('POST /threads', { metadata: { topic: 'tea' } })
  const remedy = 'Record the session again with this request, or start the server with --record-missing.'
  const run = `POST /threads/${json.thread_id}/runs`

  for (const [request, body, nearest] of [
    [
      run,
      { assistant_id: 'slow', input: { a: 1 } },
      `request 2 of the recording, POST /threads/${thread}/runs; body.assistant_id: expected "echo", received "slow".`,
    ],
    [
      run,
      { assistant_id: 'echo', input: { a: 1 }, extra: true },
      `request 2 of the recording, POST /threads/${thread}/runs; body.extra: expected nothing, received true.`,
    ],
    [
      'GET /assistants?limit=20',
      undefined,
      'request 3 of the recording, GET /assistants?limit=10; query.limit: expected 10, received 20.',
    ],
    [`POST /threads/${json.thread_id}/run`, {}, `request 2 of the recording, POST /threads/${thread}/runs.`],
    [
      `POST /threads/${thread.replaceAll('1', '9')}/runs`,
      { assistant_id: 'echo', input: { a: 1 } },
      `request 2 of the recording, POST /threads/${thread}/runs, which has other ids or was already replayed as often as it was recorded.`,
    ],
  ] as const) {
    expect(await send(request, body)).toEqual({
      status: 422,
      json: { detail: `expected a request of the recording, received ${request}. The nearest is ${nearest} ${remedy}` },
    })
  }
  expect(mock.journal.calls({ status: 422 })).toHaveLength(5)
})

test('a secret that was removed from the recording is equal to any text', async () => {
  const { send } = replayOf(recordingOf(['POST /runs/wait', { input: 'my key is [redacted], ok? [redacted]' }, 'done']))

  expect((await send('POST /runs/wait', { input: 'my key is abc' })).status).toBe(422)
  expect((await send('POST /runs/wait', { input: 'my key is abc, ok? def' })).json).toBe('done')
})

test('a stream is replayed at the recorded speed, or faster', async () => {
  const recording: Recording = {
    ...recordingOf(),
    exchanges: ['a', 'b'].map((path) => ({
      atMs: 0,
      request: { method: 'GET', path: `/${path}` },
      response: {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        afterMs: 0,
        body: [
          { afterMs: 0, text: 'data: 1\n\n' },
          { afterMs: 500, text: 'data: 2\n\n' },
        ],
      },
      tookMs: 1000,
    })),
  }
  for (const speed of [1, 2]) {
    const clock = manualClock(startMs)
    const mock = createMockServer({ scenario: { recording }, replay: { speed }, clock })
    const reader = (await mock.fetch('/a')).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader?.read()).toMatchObject({ value: 'data: 1\n\n' })
    let read = 0
    const rest = (async () => {
      while (!(await reader?.read())?.done) read++
    })()
    await clock.advance(500 / speed - 1)
    expect(read).toBe(0)
    await clock.advance(1)
    await expect.poll(() => read).toBe(1)
    await clock.advance(500 / speed)
    await rest
  }
})

test('a connection that was broken is broken again, and an open stream stays open until the client leaves', async () => {
  const response = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    afterMs: 1,
    body: [{ afterMs: 1, text: 'data: 1\n\n' }],
  }
  const exchange = (path: string) => ({ atMs: 0, request: { method: 'GET', path }, tookMs: 1 })
  const { mock } = replayOf({
    ...recordingOf(),
    exchanges: [
      { ...exchange('/before'), failure: 'connection reset' },
      { ...exchange('/within'), response, failure: 'connection reset' },
      { ...exchange('/open'), response, failure: 'client left' },
    ],
  })
  await expect(mock.fetch('/before')).rejects.toThrow('fetch failed')
  await expect((await mock.fetch('/within')).text()).rejects.toThrow('terminated')
  const leaving = new AbortController()
  const body = (await mock.fetch('/open', { signal: leaving.signal })).text()
  leaving.abort(new Error('enough'))
  await expect(body).rejects.toThrow('enough')
})

test('faults, sessions and CORS apply to a replay, too', async () => {
  const { mock, send } = replayOf(recordingOf(['POST /threads', {}, { thread_id: thread }]))
  const remove = mock.faults.add({ type: 'status', status: 503, route: 'POST /threads', first: 1 })
  expect((await send('POST /threads', {})).status).toBe(503)
  remove()
  const response = await mock.fetch('/threads', { method: 'POST', body: '{}', headers: { origin: 'http://page.test' } })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test('explains an invalid recording', () => {
  const recording = recordingOf(['GET /ok', undefined, {}])
  const invalid = { ...recording, exchanges: [{ ...recording.exchanges[0], atMs: '1' }] } as unknown as Recording

  expect(() => createMockServer({ scenario: { recording: invalid } })).toThrow(
    'Field "recording.exchanges.0.atMs": expected number, received "1"',
  )
  expect(() => createMockServer({ scenario: { recording, graphs: {} } })).toThrow(
    'The scenario: expected either "recording" or "graphs" and "exports", received an object',
  )
  expect(() => createMockServer({ replay: { speed: 1 } })).toThrow(
    'replay: expected a scenario with a recording, received none',
  )
  expect(() => createMockServer({ scenario: { recording }, replay: { speed: -1 } })).toThrow(
    'replay.speed: expected a number from 0, received -1',
  )
})

test('the description of the server is that of the mock, unless it was recorded, and is not in the journal', async () => {
  const { mock, send } = replayOf(recordingOf(['POST /threads', {}, { thread_id: thread }]))
  expect((await mock.fetch('/docs')).status).toBe(200)
  expect((await send('GET /openapi.json')).json).toMatchObject({ openapi: '3.1.0' })
  expect(mock.journal.calls()).toEqual([])
  expect(mock.inspect.assistants()).toEqual([])

  const recorded = replayOf(recordingOf(['GET /openapi.json', undefined, { openapi: '3.0.3' }]))
  expect((await recorded.send('GET /openapi.json')).json).toEqual({ openapi: '3.0.3' })
  expect(recorded.mock.journal.calls()).toHaveLength(1)
})
