import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { assistantCreate, assistantSearch } from '../../mock-server/deployment/schemas/assistant-requests.ts'
import { runCreate, runList, threadCreate, threadList } from '../../mock-server/deployment/schemas/requests.ts'
import { ApiError } from '../../mock-server/http/errors.ts'
import { parse, readJsonBody, uuidParam } from '../../mock-server/http/request.ts'

const limits = { maxBytes: 1_000, maxDepth: 20 }

function post(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  headers: Record<string, string> = {},
): Request {
  return new Request('http://mock.test/threads', { method: 'POST', body, headers, duplex: 'half' })
}

/** Returns the ApiError that a call throws. */
async function apiErrorOf(call: () => unknown): Promise<ApiError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('expected an ApiError, received no error')
}

describe('readJsonBody', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON'],
    ['application/merge-patch+json'],
    ['text/plain;charset=UTF-8'],
  ])('reads JSON of content type %s', async (type) => {
    expect(await readJsonBody(post('{"a":[1,"é"]}', { 'content-type': type }), limits)).toEqual({ a: [1, 'é'] })
  })

  test('reads JSON without a content type', async () => {
    const bytes = new TextEncoder().encode('{"a":1}')
    expect(await readJsonBody(post(bytes), limits)).toEqual({ a: 1 })
  })

  test.each([
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/octet-stream'],
    ['application/jsonp'],
    [''],
  ])('rejects content type %j', async (type) => {
    const error = await apiErrorOf(() => readJsonBody(post('{}', { 'content-type': type }), limits))
    expect(error.kind).toBe('unsupported-media-type')
  })

  test.each([
    ['no body', null, 'empty'],
    ['an empty body', '', 'empty'],
    ['a truncated body', '{"a":', 'not valid JSON'],
    ['two values', '{} {}', 'not valid JSON'],
    ['an unquoted word', '{a:1}', 'not valid JSON'],
    ['a byte that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'UTF-8'],
  ])('rejects %s as malformed', async (_, body, message) => {
    const error = await apiErrorOf(() => readJsonBody(post(body), limits))
    expect(error.kind).toBe('malformed-json')
    expect(error.message).toContain(message)
  })

  test.each([
    ['a byte that is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['half a character', Uint8Array.of(0x22, 0xc3, 0x22)],
  ])('rejects %s in a body with content-length', async (_, body) => {
    const error = await apiErrorOf(() => readJsonBody(post(body, { 'content-length': String(body.length) }), limits))
    expect(error.kind).toBe('malformed-json')
    expect(error.message).toContain('UTF-8')
  })

  test.each([{}, { 'content-length': '5' }])('keeps a replacement character, with headers %j', async (headers) => {
    expect(await readJsonBody(post('"\uFFFD"', headers), limits)).toBe('\uFFFD')
  })

  test('rejects a content-length above the limit without reading the body', async () => {
    const body = new ReadableStream(
      {
        pull: () => {
          throw new Error('the body was read')
        },
      },
      { highWaterMark: 0 },
    )
    const error = await apiErrorOf(() => readJsonBody(post(body, { 'content-length': '1001' }), limits))
    expect(error.kind).toBe('body-too-large')
  })

  test('stops reading a body of unknown length at the limit', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 100
        controller.enqueue(new Uint8Array(100).fill(0x20))
      },
    })
    const error = await apiErrorOf(() => readJsonBody(post(body), limits))
    expect(error.kind).toBe('body-too-large')
    expect(sent).toBeLessThan(1_500)
  })

  test('rejects a body that is longer than its content-length', async () => {
    const error = await apiErrorOf(() => readJsonBody(post(' '.repeat(1_001), { 'content-length': '2' }), limits))
    expect(error.kind).toBe('body-too-large')
  })

  test('joins a body of many chunks, also within a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"ééé"}')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await readJsonBody(post(body), limits)).toEqual({ a: 'ééé' })
  })

  test('rejects a body that the client aborts', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('connection lost')) })
    const error = await apiErrorOf(() => readJsonBody(post(body), limits))
    expect(error.kind).toBe('malformed-json')
  })

  test.each([
    ['arrays', '['.repeat(21) + ']'.repeat(21)],
    ['objects', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`],
  ])('rejects %s nested deeper than the limit', async (_, body) => {
    const error = await apiErrorOf(() => readJsonBody(post(body), limits))
    expect(error.kind).toBe('invalid-body')
    expect(error.message).toContain('deeper than 20')
  })

  test('rejects a million levels without a stack overflow', async () => {
    const wide = { maxBytes: 5_000_000, maxDepth: 100 }
    const error = await apiErrorOf(() => readJsonBody(post('['.repeat(1_000_000)), wide))
    expect(error.kind).toBe('invalid-body')
  })

  test('ignores brackets inside strings', async () => {
    const text = `${'[{"'.repeat(50)}\\" \\\\`
    expect(await readJsonBody(post(JSON.stringify({ text })), limits)).toEqual({ text })
  })

  test.each([
    ['{"__proto__":{"polluted":true}}', '"__proto__"'],
    ['{"input":{"messages":[{"__proto__":null}]}}', '"input.messages.0.__proto__"'],
    ['{"metadata":{"\\u005f_proto__":1}}', '"metadata.__proto__"'],
  ])('rejects a key that would replace a prototype: %s', async (body, path) => {
    const error = await apiErrorOf(() => readJsonBody(post(body), limits))
    expect(error.kind).toBe('invalid-body')
    expect(error.message).toContain(path)
  })

  test('keeps __proto__ as a value, and constructor as a key', async () => {
    const body = '{"word":"__proto__","constructor":{"prototype":{"polluted":true}}}'
    const value = await readJsonBody(post(body), limits)
    expect(JSON.stringify(value)).toBe(body)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('parse', () => {
  test.each<[string, z.ZodType<unknown>, unknown, unknown]>([
    ['an empty thread', threadCreate, {}, {}],
    [
      'a thread with all fields',
      threadCreate,
      { metadata: { a: 1 }, if_exists: 'raise' },
      { metadata: { a: 1 }, if_exists: 'raise' },
    ],
    [
      'a thread id in upper case',
      threadCreate,
      { thread_id: 'ABCDEF00-0000-0000-0000-000000000001' },
      { thread_id: 'abcdef00-0000-0000-0000-000000000001' },
    ],
    ['and drops unknown fields', threadCreate, { unknown: 5 }, {}],
    ['a run with its only required field', runCreate, { assistant_id: 'echo' }, { assistant_id: 'echo' }],
    ['a run without input', runCreate, { assistant_id: 'echo', input: null }, { assistant_id: 'echo', input: null }],
    [
      'one stream mode',
      runCreate,
      { assistant_id: 'echo', stream_mode: 'updates' },
      { assistant_id: 'echo', stream_mode: 'updates' },
    ],
    [
      'the fields that the specification shows as null',
      runCreate,
      { assistant_id: 'echo', webhook: null, feedback_keys: null, interrupt_after: null, interrupt_before: null },
      { assistant_id: 'echo', webhook: null, feedback_keys: null, interrupt_after: null, interrupt_before: null },
    ],
    [
      'and keeps unknown fields of config',
      runCreate,
      { assistant_id: 'echo', config: { configurable: { a: 1 }, b: 2 } },
      { assistant_id: 'echo', config: { configurable: { a: 1 }, b: 2 } },
    ],
    [
      'a list with pagination',
      runList,
      { limit: '3', offset: '7', status: 'success' },
      { limit: 3, offset: 7, status: 'success' },
    ],
    ['a list without a query', threadList, {}, { limit: 10, offset: 0 }],
    ['a search without fields', assistantSearch, {}, { limit: 10, offset: 0 }],
    [
      'an assistant',
      assistantCreate,
      { graph_id: 'echo', config: { configurable: {} } },
      { graph_id: 'echo', config: { configurable: {} } },
    ],
  ])('accepts %s', (_, schema, value, expected) => {
    expect(parse(schema, value)).toEqual(expected)
  })

  test.each<[z.ZodType<unknown>, unknown, string]>([
    [threadCreate, [], 'The body: expected object, received an array of 0 items'],
    [threadCreate, 'text', 'The body: expected object, received "text"'],
    [threadCreate, { thread_id: 'x' }, 'Field "thread_id": expected a UUID, received "x"'],
    [threadCreate, { metadata: [] }, 'Field "metadata": expected an object, received an array of 0 items'],
    [runCreate, {}, 'Field "assistant_id": expected string, received nothing'],
    [runCreate, { assistant_id: 5 }, 'Field "assistant_id": expected string, received 5'],
    [runCreate, { assistant_id: 'echo', input: 'hi' }, 'Field "input": expected an object, received "hi"'],
    [runCreate, { assistant_id: 'echo', multitask_strategy: null }, 'Field "multitask_strategy": expected one of'],
    [runCreate, { assistant_id: 'echo', multitask_strategy: 'queue' }, 'received "queue"'],
    [
      runCreate,
      { assistant_id: 'echo', stream_mode: ['values', 'x'] },
      'Field "stream_mode": expected one of values, updates',
    ],
    [
      runCreate,
      { assistant_id: 'echo', config: { configurable: 1 } },
      'Field "config.configurable": expected an object, received 1',
    ],
    [runList, { limit: 'x' }, 'Field "limit": expected a whole number from 1 to 1000, received "x"'],
    [runList, { limit: '0' }, 'received "0"'],
    [runList, { status: 'done' }, 'Field "status"'],
    [assistantSearch, { limit: 1.5 }, 'Field "limit": expected int, received 1.5'],
    [assistantCreate, {}, 'Field "graph_id"'],
  ])('reports the field, the expected and the received value: %#', async (schema, value, message) => {
    const error = await apiErrorOf(() => parse(schema, value))
    expect(error.kind).toBe('invalid-body')
    expect(error.message).toContain(message)
    expect(error.details.issues?.[0]?.code).toEqual(expect.any(String))
  })

  test('truncates a long value in the message', async () => {
    const error = await apiErrorOf(() => parse(threadCreate, { thread_id: 'x'.repeat(10_000) }))
    expect(error.message.length).toBeLessThan(200)
  })
})

describe('uuidParam', () => {
  test('accepts a UUID of any version and case', () => {
    expect(uuidParam('ABCDEF00-0000-0000-0000-00000000000F', 'thread', { idCase: 'folded' })).toBe(
      'abcdef00-0000-0000-0000-00000000000f',
    )
  })

  test.each(['nope', '', '%00', '123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g'])(
    'rejects %j',
    async (value) => {
      const error = await apiErrorOf(() => uuidParam(value, 'run', { idCase: 'folded' }))
      expect(error.kind).toBe('invalid-id')
      expect(error.message).toContain('expected a UUID')
    },
  )
})
