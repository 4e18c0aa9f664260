import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { dialects } from '../../mock-server/deployment/dialects/index.ts'
import { ApiError, type ErrorKind } from '../../mock-server/http/errors.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { clientOf, eventsOf, say } from '../fixtures/mock-client.ts'

const STATUSES: readonly [ErrorKind, Readonly<Record<DialectName, number>>][] = [
  ['malformed-json', { spec: 400, 'agent-server': 422, 'js-dev': 400 }],
  ['invalid-body', { spec: 422, 'agent-server': 422, 'js-dev': 400 }],
  ['invalid-query', { spec: 422, 'agent-server': 400, 'js-dev': 400 }],
  ['invalid-id', { spec: 422, 'agent-server': 422, 'js-dev': 400 }],
  ['body-too-large', { spec: 413, 'agent-server': 413, 'js-dev': 413 }],
  ['unsupported-media-type', { spec: 415, 'agent-server': 422, 'js-dev': 400 }],
  ['unauthorized', { spec: 401, 'agent-server': 401, 'js-dev': 401 }],
  ['forbidden', { spec: 403, 'agent-server': 403, 'js-dev': 403 }],
  ['thread-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 404 }],
  ['thread-of-new-run-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 422 }],
  ['run-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 404 }],
  ['assistant-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 404 }],
  ['invalid-assistant', { spec: 404, 'agent-server': 422, 'js-dev': 404 }],
  ['graph-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 404 }],
  ['already-exists', { spec: 409, 'agent-server': 409, 'js-dev': 409 }],
  ['thread-busy', { spec: 409, 'agent-server': 409, 'js-dev': 422 }],
  ['route-not-found', { spec: 404, 'agent-server': 404, 'js-dev': 404 }],
  ['method-not-allowed', { spec: 405, 'agent-server': 405, 'js-dev': 404 }],
]

const NAMES: readonly DialectName[] = ['spec', 'agent-server', 'js-dev']

describe.each(NAMES)('the dialect %s', (name) => {
  const dialect = dialects[name]

  test('has its name', () => {
    expect(dialect.name).toBe(name)
  })

  test.each(STATUSES)('maps the error %s to its status', (kind, statuses) => {
    expect(dialect.errorResponse(new ApiError(kind, 'why')).status).toBe(statuses[name])
  })

  test('relays the status, message and headers of an authentication handler', async () => {
    const error = new ApiError('unauthorized', 'no tea', { status: 418, headers: { 'www-authenticate': 'Bearer' } })
    const response = dialect.errorResponse(error)
    expect(response.status).toBe(418)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.text()).toContain('no tea')
  })
})

test.each<DialectName>(['spec', 'agent-server'])('%s puts the message of an error into detail', async (name) => {
  const response = dialects[name].errorResponse(new ApiError('run-not-found', 'Run x not found'))
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ detail: 'Run x not found' })
})

test.each<DialectName>(['spec', 'agent-server'])('%s sends the allowed methods of a path', (name) => {
  const error = new ApiError('method-not-allowed', 'no', { allow: ['GET', 'POST'] })
  expect(dialects[name].errorResponse(error).headers.get('allow')).toBe('GET, POST')
})

test('js-dev sends errors as plain text, and the issues of an invalid body as JSON', async () => {
  const { errorResponse } = dialects['js-dev']
  const text = errorResponse(new ApiError('run-not-found', 'Run x not found'))
  expect(text.headers.get('content-type')).toContain('text/plain')
  expect(await text.text()).toBe('Run x not found')

  const issues = [{ path: ['limit'], message: 'expected a number', code: 'invalid_type' }]
  const invalid = errorResponse(new ApiError('invalid-body', 'limit: expected a number', { issues }))
  expect(await invalid.json()).toEqual({ success: false, error: { name: 'ZodError', issues } })

  const id = errorResponse(new ApiError('invalid-id', 'no UUID'))
  expect(await id.json()).toMatchObject({ error: { issues: [{ message: 'no UUID' }] } })
})

test('the dialects differ in unspecified behavior', () => {
  expect(NAMES.map((name) => dialects[name].lineEnding)).toEqual(['\n', '\r\n', '\n'])
  expect(NAMES.map((name) => dialects[name].heartbeatMs)).toEqual([undefined, 5_000, undefined])
  expect(NAMES.map((name) => dialects[name].executingStatus)).toEqual(['pending', 'running', 'running'])
  expect(NAMES.map((name) => dialects[name].location)).toEqual([false, true, false])
  expect(NAMES.map((name) => dialects[name].eventIds)).toEqual(['always', 'resumable', 'always'])
})

test('timestamps contain a UTC offset', () => {
  const time = Date.UTC(2026, 0, 31, 8, 5, 3, 42)
  expect(NAMES.map((name) => dialects[name].timestamp(time))).toEqual([
    '2026-01-31T08:05:03.042000+00:00',
    '2026-01-31T08:05:03.042000+00:00',
    '2026-01-31T08:05:03.042Z',
  ])
})

test.each<[DialectName, { offset: number; count: number; total: number }, Record<string, string>]>([
  ['spec', { offset: 0, count: 2, total: 5 }, { 'X-Pagination-Total': '5', 'X-Pagination-Next': '2' }],
  ['spec', { offset: 4, count: 1, total: 5 }, { 'X-Pagination-Total': '5' }],
  ['spec', { offset: 9, count: 0, total: 5 }, { 'X-Pagination-Total': '5' }],
  ['agent-server', { offset: 0, count: 2, total: 5 }, { 'X-Pagination-Total': '3', 'X-Pagination-Next': '2' }],
  ['agent-server', { offset: 4, count: 1, total: 5 }, { 'X-Pagination-Total': '5' }],
  ['agent-server', { offset: 9, count: 0, total: 5 }, { 'X-Pagination-Total': '9' }],
  ['js-dev', { offset: 4, count: 1, total: 5 }, { 'X-Pagination-Total': '9' }],
  ['js-dev', { offset: 99, count: 0, total: 5 }, { 'X-Pagination-Total': '99' }],
])('%s sends pagination headers for %o', (name, page, headers) => {
  expect(dialects[name].paginationHeaders(page)).toEqual(headers)
})

const unknownId = '00000000-0000-4000-8000-000000000000'

test.each<[DialectName, unknown]>([
  ['agent-server', { error: 'HTTPException', message: `404: Run ${unknownId} not found` }],
  ['js-dev', `Run ${unknownId} not found`],
])('%s streams an error event for an unknown run', async (dialect, data) => {
  const client = clientOf(createMockServer({ dialect }))
  const { thread_id } = await client.thread()

  const stream = await client.send('GET', `/threads/${thread_id}/runs/${unknownId}/stream`)

  expect(stream.status).toBe(200)
  expect(await eventsOf(stream)).toEqual([{ event: 'error', data, id: undefined }])
})

test('document returns 404 for the stream of an unknown run', async () => {
  const client = clientOf(createMockServer())
  const { thread_id } = await client.thread()

  expect((await client.send('GET', `/threads/${thread_id}/runs/${unknownId}/stream`)).status).toBe(404)
})

test('js-dev returns the error of a failed run once, as JSON text inside another error', async () => {
  const client = clientOf(createMockServer({ dialect: 'js-dev' }))
  const run = await client.run(await client.thread(), { assistant_id: 'fail', ...say('hello') })
  const join = () => client.get<Record<string, unknown>>(`/threads/${run.thread_id}/runs/${run.run_id}/join`)

  const [first, second] = [await join(), await join()]

  const error = { error: 'Error', message: 'this graph always fails' }
  expect(first).toEqual({ __error__: { error: 'Error', message: JSON.stringify(error) } })
  expect(Object.keys(second)).toEqual(['messages'])
})

test('agent-server adds state_updated_at and the last error to a thread', async () => {
  const client = clientOf(createMockServer({ dialect: 'agent-server' }))
  const thread = await client.thread()
  expect(thread).toMatchObject({ state_updated_at: thread['created_at'] })
  expect(thread).not.toHaveProperty('error')

  await client.ended(await client.run(thread, { assistant_id: 'fail', ...say('hello') }))

  expect(await client.get(`/threads/${thread.thread_id}`)).toMatchObject({
    status: 'error',
    error: { error: 'Error', message: 'this graph always fails' },
    interrupts: {},
  })
})

test.each<DialectName>(['agent-server', 'js-dev'])(
  '%s accepts an input that is not an object and fails the run',
  async (dialect) => {
    const client = clientOf(createMockServer({ dialect }))
    const thread = await client.thread()

    const events = await client.stream(thread, { assistant_id: 'echo', input: 'hello' })

    expect(events.map(({ event }) => event)).toEqual(['metadata', 'error'])
    expect(events[1]?.data).toMatchObject({ error: 'InvalidUpdateError' })
    expect(await client.get(`/threads/${thread.thread_id}`)).toMatchObject({ status: 'error' })
  },
)

test.each<DialectName>(['agent-server', 'js-dev'])('%s names the graph in the metadata of a run', async (name) => {
  const { thread, run } = clientOf(createMockServer({ dialect: name }))
  const created = await run(await thread(), { assistant_id: 'echo', ...say('A'), metadata: { own: 1 } })
  const metadata = { graph_id: 'echo', assistant_id: created['assistant_id'], created_by: 'system', own: 1 }
  expect(created).toMatchObject({ metadata, kwargs: { config: { metadata } } })
})

test.each<DialectName>(['agent-server', 'js-dev'])(
  '%s leaves the graph out if the run creates its thread',
  async (name) => {
    const { thread, run } = clientOf(createMockServer({ dialect: name }))
    const newThread = { ...(await thread()), thread_id: crypto.randomUUID() }
    const created = await run(newThread, { assistant_id: 'echo', ...say('A'), if_not_exists: 'create' })
    expect(created).not.toHaveProperty('kwargs.config.metadata.graph_id')
  },
)

test('js-dev shows headers to graphs, but no credentials', async () => {
  const mock = createMockServer({ dialect: 'js-dev' })
  const { thread_id } = await clientOf(mock).thread()
  const headers = { 'content-type': 'application/json', 'x-team': 'tea', 'x-api-key': 'secret', 'user-agent': 'test' }
  const body = JSON.stringify({ assistant_id: 'whoami', ...say('A') })
  const url = `http://mock.test/threads/${thread_id}/runs/wait`
  const response = await mock.fetch(new Request(url, { method: 'POST', headers, body }))
  const { messages } = (await response.json()) as { messages: { content: string }[] }
  const { configurable } = JSON.parse(messages.at(-1)?.content ?? '')
  expect(configurable).toMatchObject({ 'x-team': 'tea', 'user-agent': 'test' })
  expect(configurable).not.toHaveProperty('x-api-key')
})

test('a state shows the results of its tasks once they have run', async () => {
  const { thread, send } = clientOf(createMockServer())
  const { thread_id } = await thread()
  await send('POST', `/threads/${thread_id}/runs/wait`, { assistant_id: 'echo', ...say('A') })
  expect(await (await send('POST', `/threads/${thread_id}/history`, {})).json()).toMatchObject([
    { tasks: [] },
    { tasks: [{ result: { messages: [{ content: 'second: A' }] } }] },
    { tasks: [{ result: { messages: [{ content: 'first: A' }] } }] },
    { tasks: [{ result: { messages: [{ content: 'A' }] } }] },
  ])
})

test('agent-server redirects a path with a trailing slash', async () => {
  const response = await createMockServer({ dialect: 'agent-server' }).fetch(
    new Request('http://mock/threads/?limit=2'),
  )

  expect(response.status).toBe(307)
  expect(response.headers.get('location')).toBe('http://mock/threads?limit=2')
})
