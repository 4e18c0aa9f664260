import { expect, onTestFinished, test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { journalMatchers } from '../../../vitest.ts'
import { clientOf, say } from '../../fixtures/mock-client.ts'

expect.extend(journalMatchers)

const RUNS = 'POST /threads/{thread_id}/runs'

/** Returns a mock that has received five requests: two threads, two runs on the second, and its state. */
async function usedMock(options: MockServerOptions = {}): Promise<MockServer> {
  const mock = createMockServer({ journal: true, ...options })
  onTestFinished(() => mock.close())
  const { thread, run, state } = clientOf(mock, { 'x-user': 'ann', authorization: 'Bearer of-ann' })
  await thread({ metadata: { topic: 'spring', tags: ['a', 'b'] } })
  const second = await thread({ metadata: { topic: 'autumn' } })
  await run(second, { assistant_id: 'echo', multitask_strategy: 'enqueue', ...say('Hi') })
  await run(second, { assistant_id: 'echo', multitask_strategy: 'enqueue', ...say('Where is my order?') })
  await state(second)
  return mock
}

test('requests are selected by route, method, status, body, text, headers and query', async () => {
  const { journal } = await usedMock()
  expect(journal).toHaveReceived({ route: RUNS })
  expect(journal).toHaveReceived({ method: 'get', status: 200, times: 1 })
  expect(journal).toHaveReceived({ route: 'POST /threads', body: { metadata: { topic: 'spring' } }, times: 1 })
  expect(journal).toHaveReceived({ body: { metadata: { tags: ['a', expect.any(String)] } }, times: 1 })
  expect(journal).toHaveReceived({ route: RUNS, text: 'Hi', times: 1 })
  expect(journal).toHaveReceived({ text: { pattern: 'ORDER', flags: 'i' }, times: 1 })
  expect(journal).toHaveReceived({ headers: { 'X-User': 'ann', authorization: { pattern: '.' } }, times: 5 })
  expect(journal).not.toHaveReceived({ query: { limit: '1' } })
  expect(journal).not.toHaveReceived({ body: { metadata: { tags: ['a'] } } })
})

test.each([
  [2, true],
  [{ min: 1 }, true],
  [{ max: 2 }, true],
  [{ min: 3 }, false],
  [{ max: 1 }, false],
  [0, false],
])('two requests, expected times %j: %s', async (times, passes) => {
  const { journal } = await usedMock()
  const call = { route: RUNS, times }
  if (passes) expect(journal).toHaveReceived(call)
  else expect(journal).not.toHaveReceived(call)
})

test('requests come in an order, with others between them', async () => {
  const { journal } = await usedMock()
  expect(journal).toHaveReceived([{ route: 'POST /threads' }, { method: 'GET' }], { inOrder: true })
  expect(journal).toHaveReceived([{ method: 'POST' }, { text: { pattern: 'order' } }], { inOrder: true })
  expect(journal).not.toHaveReceived([{ method: 'GET' }, { route: 'POST /threads' }], { inOrder: true })
  expect(journal).not.toHaveReceived([{ route: RUNS, times: 1 }, { method: 'GET' }], { inOrder: true })
})

test('an expected request may come again later in the order', async () => {
  const mock = createMockServer({ journal: true })
  const { thread, get } = clientOf(mock)
  await thread()
  await get('/ok')
  await thread()
  const create = { route: 'POST /threads', times: 1 }
  expect(mock.journal).toHaveReceived([create, { route: 'GET /ok' }, create], { inOrder: true, nothingElse: true })
  expect(mock.journal).not.toHaveReceived([create, { route: 'GET /ok' }], { inOrder: true })
})

test('nothing else was received', async () => {
  const { journal } = await usedMock()
  expect(journal).toHaveReceived([{ method: 'POST' }, { method: 'GET' }], { nothingElse: true })
  expect(journal).not.toHaveReceived({ method: 'POST' }, { nothingElse: true })
  expect(journal).toHaveReceived({ method: 'GET' }, { nothingElse: true, after: 4 })
  expect(journal).toHaveReceived([], { nothingElse: true, after: 5 })
})

test('the error of a missing request names the nearest one and what differs', async () => {
  const { journal } = await usedMock()
  const verify = () =>
    journal.verify({ route: RUNS, text: 'Hello', body: { multitask_strategy: 'reject', stream_mode: ['updates'] } })
  expect(verify).toThrow(
    [
      `Expected at least 1 request ${RUNS} with {"text":"Hello","body":{"multitask_strategy":"reject","stream_mode":["updates"]}}, received 0`,
      `The nearest other request is request 3, ${RUNS} (200):`,
      '  text: expected "Hello", received "Hi"',
      '  body.multitask_strategy: expected "reject", received "enqueue"',
      '  body.stream_mode: expected ["updates"], received nothing',
    ].join('\n'),
  )
})

test('the error of a wrong number lists the requests', async () => {
  const { journal } = await usedMock()
  expect(() => journal.verify({ route: 'POST /threads', times: 1 })).toThrow(
    'Expected 1 request POST /threads, received 2:\n  request 1, POST /threads (200)\n  request 2, POST /threads (200)',
  )
})

test('the error of a wrong order shows both orders and the first request that is wrong', async () => {
  const { journal } = await usedMock()
  const calls = [{ method: 'GET' }, { route: 'POST /threads', times: 2 }]
  expect(() => journal.verify(calls, { inOrder: true })).toThrow(
    [
      'Expected in this order:',
      '  at least 1 request with {"method":"GET"}',
      '  2 requests POST /threads',
      'Received:',
      '  request 1, POST /threads (200)',
      '  request 2, POST /threads (200)',
      '  request 5, GET /threads/{thread_id}/state (200)',
      'Expected at least 1 request with {"method":"GET"}, received request 1, POST /threads (200)',
    ].join('\n'),
  )
})

test('the error of other requests lists them', async () => {
  const { journal } = await usedMock()
  expect(() => journal.verify({ method: 'POST' }, { nothingElse: true })).toThrow(
    'Expected no other requests, received 1:\n  request 5, GET /threads/{thread_id}/state (200)',
  )
})

test('webhooks that the server delivers are not requests of the client', async () => {
  const webhooks = { fetch: async () => new Response() }
  const mock = createMockServer({ journal: true, webhooks })
  onTestFinished(() => mock.close())
  const { thread, run } = clientOf(mock)
  await run(await thread(), { assistant_id: 'echo', webhook: 'http://app.test/done', ...say('Hi') })
  await mock.journal.waitFor({ webhook: true })
  expect(mock.journal).toHaveReceived([{ route: 'POST /threads' }, { route: RUNS }], { nothingElse: true })
})

test('a journal that dropped requests cannot verify them', async () => {
  const { journal } = await usedMock({ journal: { maxEntries: 3 } })
  expect(() => journal.verify({ method: 'GET' })).toThrow('received one that dropped 2. Set maxEntries or maxBytes')
  expect(journal).toHaveReceived({ method: 'GET' }, { after: 2 })
})

test.each([
  [{ rout: 'POST /threads' }, {}, 'Field "calls.0": unknown key "rout"; expected only route, method, status, text'],
  [{ route: 'POST /thread' }, {}, 'expected a route of the mock server, such as POST /threads'],
  [{ times: -1 }, {}, 'Field "calls.0.times": '],
  [{ text: { pattern: '(' } }, {}, 'Field "calls.0.text.pattern": expected a regular expression without errors'],
  [[], {}, 'Field "calls": expected at least one call, or "nothingElse": true'],
  [{}, { order: true }, 'The verification: unknown key "order"; expected only calls, inOrder, nothingElse, after'],
])('rejects the invalid verification %j, %j', (calls, options, message) => {
  const { journal } = createMockServer({ journal: true })
  expect(() => journal.verify(calls as object, options as object)).toThrow(TypeError)
  expect(() => expect(journal).toHaveReceived(calls as object, options as object)).toThrow(message)
})

test('throws with a remedy when the journal is off', () => {
  expect(() => createMockServer().journal.verify({})).toThrow('create the server with journal: true')
})
