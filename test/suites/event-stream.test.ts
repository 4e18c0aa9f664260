import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EventStream, readEvents } from '../../suites/harness/event-stream.ts'
import { createHttp } from '../../suites/harness/http.ts'
import { openSession } from '../../suites/harness/session.ts'
import { createStreamEvents } from '../../suites/values/stream-events.ts'
import { httpServer } from '../fixtures/http-server.ts'

const text = [
  ': heartbeat',
  '',
  'event: metadata',
  'data: {"run_id":"r1"}',
  '',
  'id: 7',
  'event: updates',
  'data: {"first":{"messages":[{"content":"naïve 日本語 🙂"}]}}',
  '',
  ': heartbeat',
  '',
  'event: values',
  'data: {"a":1,',
  'data: "b":2}',
  '',
  '',
]

const wanted = [
  { event: 'metadata', data: '{"run_id":"r1"}' },
  { event: 'updates', data: '{"first":{"messages":[{"content":"naïve 日本語 🙂"}]}}', id: '7' },
  { event: 'values', data: '{"a":1,\n"b":2}' },
]

/** Reads the events of a stream, without their arrival times. */
function read({ events }: EventStream): readonly object[] {
  return events.map(({ atMs: _, ...rest }) => rest)
}

/** Reads a body that arrives in chunks. */
async function readPieces(pieces: readonly Uint8Array[]): Promise<EventStream> {
  const stream = readEvents({ status: 200, headers: {} }, Readable.from(pieces), performance.now(), {
    onChunk() {},
    onEnd() {},
  })
  expect(await stream.ended).toBeUndefined()
  return stream
}

/** Splits bytes at these positions, in any order. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const edges = [0, ...places.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index] ?? 0, end))
}

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('a stream with %s', (_, ending) => {
  const bytes = new TextEncoder().encode(text.join(ending))

  test('arrives in one chunk', async () => {
    expect(read(await readPieces([bytes]))).toEqual(wanted)
  })

  test('arrives byte by byte: within characters and line endings', async () => {
    expect(read(await readPieces(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(wanted)
  })

  test('arrives in any two chunks', async () => {
    for (const place of bytes.keys()) expect(read(await readPieces(cut(bytes, [place])))).toEqual(wanted)
  })

  test('arrives in any chunks', async () => {
    const places = fc.array(fc.nat(bytes.length - 1), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(read(await readPieces(cut(bytes, at)))).toEqual(wanted)
      }),
    )
  })
})

test.each(['\n', '\r\n', '\r'])('an event arrives with the chunk that completes it: %j', (end) => {
  const stream = createStreamEvents()
  stream.feed(`event: a${end}data: 1${end}${end}`, 1)
  stream.feed(`event: b${end}data: 2${end}${end}`, 2)
  expect(stream.events).toEqual([
    { atMs: 1, event: 'a', data: '1' },
    { atMs: 2, event: 'b', data: '2' },
  ])
})

test('ignores an event without an empty line at its end', async () => {
  const bytes = new TextEncoder().encode('event: a\ndata: 1\n\nevent: b\ndata: 2\n')
  expect(read(await readPieces([bytes]))).toEqual([{ event: 'a', data: '1' }])
})

test('names an event without a name message', async () => {
  expect(read(await readPieces([new TextEncoder().encode('data: 1\n\n')]))).toEqual([{ event: 'message', data: '1' }])
})

describe('over HTTP', () => {
  /** Serves one stream and reads it: what is sent, and when, is up to the test. */
  async function serve(answer: (response: ServerResponse) => void): Promise<EventStream> {
    const url = await httpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      answer(response)
    })
    const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed')
    onTestFinished(() => session.close())
    const options = { user: 'nobody', session, headers: {}, timeoutMs: () => 5000 }
    return createHttp(options).stream({ method: 'POST', path: '/', body: {} })
  }

  test('returns an event before the stream has ended', async () => {
    const { promise: seen, resolve: end } = Promise.withResolvers<void>()
    const stream = await serve((response) => {
      response.write('event: early\ndata: {}\n\n')
      seen.then(() => response.end('event: late\ndata: {}\n\n'))
    })
    expect(await stream.find(({ event }) => event === 'early')).toBeDefined()
    expect(stream.events).toHaveLength(1)
    end()
    expect(await stream.find(({ event }) => event === 'never')).toBeUndefined()
    expect(stream.events).toHaveLength(2)
  })

  test('distinguishes a broken connection from the end of the stream', async () => {
    const stream = await serve((response) => {
      response.write('event: a\ndata: 1\n\n', () => response.destroy())
    })
    expect(await stream.ended).toBeTypeOf('string')
    expect(read(stream)).toEqual([{ event: 'a', data: '1' }])
  })

  test('aborting a stream does not count as a broken connection', async () => {
    const stream = await serve((response) => response.write('event: a\ndata: 1\n\n'))
    await stream.find(({ event }) => event === 'a')
    stream.close()
    expect(await stream.ended).toBeUndefined()
  })
})
