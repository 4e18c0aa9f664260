import { beforeAll, describe, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { exportContext } from '../fixtures/export-context.ts'
import { type OpenApiValidator, openApiValidator, patternOf } from '../fixtures/openapi-validator.ts'
import { NOWHERE } from './sdk/context.ts'
import { sdkCalls } from './sdk/table.ts'

const mock: MockServer = createMockServer()

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await mock.fetch(new Request(`http://mock.test${path}`, { method, ...init }))
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

let expected: OpenApiValidator

beforeAll(async () => {
  expected = await openApiValidator(mock)
})

/** Asserts that a value matches a schema of the description. */
function expectToMatch(value: unknown, schema: string): void {
  expect(expected.fits(value, schema)).toBeUndefined()
}

test('describes exactly the methods of every path', async () => {
  const { description, endpoints } = expected
  expect(description.openapi).toBe('3.1.0')
  for (const { path } of endpoints) {
    const concrete = path.replace(/\{\w+\}/g, NOWHERE)
    const headers = { 'X-API-Key': 'touchstone-enterprise', 'X-Tenant-Id': '00000000-0000-4000-8000-00000000000a' }
    // No endpoint accepts PURGE, and the response lists the accepted methods.
    const response = await mock.fetch(new Request(`http://mock.test${concrete}`, { method: 'PURGE', headers }))
    expect(response.status, path).toBe(405)
    const methodsOf = (matches: (other: string) => boolean): string[] =>
      endpoints.filter((endpoint) => matches(endpoint.path)).map(({ method }) => method)
    const allowed = response.headers.get('allow')?.split(', ') ?? []
    expect(allowed, path).toEqual(expect.arrayContaining(methodsOf((other) => other === path)))
    // A literal segment of one path can match a parameter of another.
    expect(
      methodsOf((other) => patternOf(other).test(concrete)),
      path,
    ).toEqual(expect.arrayContaining(allowed))
  }
})

test('describes every supported call of the public SDK', () => {
  const described = new Set(expected.endpoints.map(({ method, path }) => `${method} ${path}`))
  const calls = sdkCalls.filter(({ refused }) => refused === undefined).map(({ request }) => request)
  expect(calls.filter((request) => !described.has(request))).toEqual([])
})

describe('responses match the description', () => {
  test('a thread, before and after a run', async () => {
    const thread = await call<{ thread_id: string }>('POST', '/threads', { metadata: { a: 1 } })
    expectToMatch(thread, 'Thread')
    for (const listed of await call<unknown[]>('GET', '/threads')) expectToMatch(listed, 'Thread')
  })

  test.each(['echo', 'tools', 'fail'])('a run of the graph %s and the state that it leaves', async (graph) => {
    const { thread_id } = await call<{ thread_id: string }>('POST', '/threads', {})
    const run = await call<{ run_id: string }>('POST', `/threads/${thread_id}/runs`, {
      assistant_id: graph,
      input: { messages: [{ role: 'user', content: 'hi' }] },
    })
    expectToMatch(run, 'Run')
    await call('GET', `/threads/${thread_id}/runs/${run.run_id}/join`)
    expectToMatch(await call('GET', `/threads/${thread_id}/runs/${run.run_id}`), 'Run')
    const state = await call<{ values: { messages: unknown[] } }>('GET', `/threads/${thread_id}/state`)
    expectToMatch(state, 'ThreadState')
    for (const message of state.values.messages) expectToMatch(message, 'Message')
    for (const listed of await call<unknown[]>('GET', '/threads')) expectToMatch(listed, 'Thread')
  })

  test('a destination, an export and its runs', async () => {
    const context = await exportContext()
    const { id } = await context.create()
    expectToMatch(await context.reaches(id, 'Completed'), 'BulkExport')
    for (const run of await context.runs(id)) expectToMatch(run, 'BulkExportRun')
    for (const listed of await context.api.ok('GET', '/destinations')) expectToMatch(listed, 'BulkExportDestination')
  })

  test('assistants', async () => {
    const assistant = await call<{ assistant_id: string }>('POST', '/assistants', { graph_id: 'echo' })
    expectToMatch(assistant, 'Assistant')
    expectToMatch(await call('GET', `/assistants/${assistant.assistant_id}`), 'Assistant')
    for (const item of await call<unknown[]>('POST', '/assistants/search', {})) expectToMatch(item, 'Assistant')
  })
})

describe('CORS', () => {
  test('allows every origin and exposes headers', async () => {
    const response = await mock.fetch(
      new Request('http://mock.test/threads', { method: 'POST', body: '{}', headers: { origin: 'http://page.test' } }),
    )
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'Content-Location,Location,Retry-After,X-Pagination-Total,X-Pagination-Next',
    )
  })

  test('responds to preflight requests with the allowed headers and methods', async () => {
    const response = await mock.fetch(
      new Request('http://mock.test/threads', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://page.test',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      }),
    )
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  })

  test('sends no CORS headers without an origin', async () => {
    const response = await mock.fetch(new Request('http://mock.test/ok'))
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe.each(['spec', 'agent-server', 'js-dev'] as const)('the description of the dialect %s', (dialect) => {
  test('names every operation, each differently, and groups them', async () => {
    const { endpoints } = await openApiValidator(createMockServer({ dialect }))
    const ids = endpoints.map(({ operation }) => operation.operationId)
    expect(ids).toContain('getThreadsThreadIdState')
    const tags = new Set(endpoints.flatMap(({ operation }) => operation.tags))
    expect([...tags]).toEqual(['Threads', 'Runs', 'Assistants', 'Store', 'Crons', 'Service', 'Bulk exports'])
    expect(ids.every((id) => /^[a-z][A-Za-z0-9]+$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has a valid example of every request body', async () => {
    const { endpoints, matches } = await openApiValidator(createMockServer({ dialect }))
    const bodies = endpoints.flatMap(({ method, path, operation }) => {
      const body = operation.requestBody?.content['application/json']
      return body === undefined ? [] : [{ endpoint: `${method} ${path}`, ...body }]
    })
    expect(bodies.length).toBeGreaterThan(20)
    expect(bodies.filter(({ example }) => example === undefined)).toEqual([])
    expect(bodies.filter(({ example, schema }) => !matches(example, schema))).toEqual([])
  })
})

test('GET / responds to clients', async () => {
  expect(await call('GET', '/')).toEqual({ ok: true })
})
