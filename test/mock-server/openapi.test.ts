import { beforeAll, describe, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { type Expectations, expectations, patternOf } from '../fixtures/described.ts'
import { exportScene } from '../fixtures/export-scene.ts'
import { NOWHERE } from './sdk/scene.ts'
import { sdkCalls } from './sdk/table.ts'

const mock: MockServer = createMockServer()

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await mock.fetch(new Request(`http://mock.test${path}`, { method, ...init }))
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

let expected: Expectations

beforeAll(async () => {
  expected = await expectations(mock)
})

/** Fails unless the answer is what the description says of this schema. */
function expectToFit(answer: unknown, schema: string): void {
  expect(expected.fits(answer, schema)).toBeUndefined()
}

test('it describes every method of every path, and no other', async () => {
  const { description, endpoints } = expected
  expect(description.openapi).toBe('3.1.0')
  for (const { path } of endpoints) {
    const concrete = path.replace(/\{\w+\}/g, NOWHERE)
    const headers = { 'X-API-Key': 'touchstone-enterprise', 'X-Tenant-Id': '00000000-0000-4000-8000-00000000000a' }
    // No endpoint takes PUT, and a refusal names the methods that a path does take.
    const answer = await mock.fetch(new Request(`http://mock.test${concrete}`, { method: 'PUT', headers }))
    expect(answer.status, path).toBe(405)
    const methodsOf = (wanted: (other: string) => boolean): string[] =>
      endpoints.filter((endpoint) => wanted(endpoint.path)).map(({ method }) => method)
    const allowed = answer.headers.get('allow')?.split(', ') ?? []
    expect(allowed, path).toEqual(expect.arrayContaining(methodsOf((other) => other === path)))
    // A word in a path may stand where another path has an id.
    expect(
      methodsOf((other) => patternOf(other).test(concrete)),
      path,
    ).toEqual(expect.arrayContaining(allowed))
  }
})

test('it describes every call of the public SDK that works', () => {
  const described = new Set(expected.endpoints.map(({ method, path }) => `${method} ${path}`))
  const calls = sdkCalls.filter(({ works }) => works).map(({ request }) => request)
  expect(calls.filter((request) => !described.has(request))).toEqual([])
})

describe('the answers are what it describes', () => {
  test('a thread, before and after a run', async () => {
    const thread = await call<{ thread_id: string }>('POST', '/threads', { metadata: { a: 1 } })
    expectToFit(thread, 'Thread')
    for (const listed of await call<unknown[]>('GET', '/threads')) expectToFit(listed, 'Thread')
  })

  test.each(['echo', 'tools', 'fail'])('a run of the graph %s and the state that it leaves', async (graph) => {
    const { thread_id } = await call<{ thread_id: string }>('POST', '/threads', {})
    const run = await call<{ run_id: string }>('POST', `/threads/${thread_id}/runs`, {
      assistant_id: graph,
      input: { messages: [{ role: 'user', content: 'hi' }] },
    })
    expectToFit(run, 'Run')
    await call('GET', `/threads/${thread_id}/runs/${run.run_id}/join`)
    expectToFit(await call('GET', `/threads/${thread_id}/runs/${run.run_id}`), 'Run')
    const state = await call<{ values: { messages: unknown[] } }>('GET', `/threads/${thread_id}/state`)
    expectToFit(state, 'ThreadState')
    for (const message of state.values.messages) expectToFit(message, 'Message')
    for (const listed of await call<unknown[]>('GET', '/threads')) expectToFit(listed, 'Thread')
  })

  test('a destination, an export and its runs', async () => {
    const scene = await exportScene()
    const { id } = await scene.create()
    expectToFit(await scene.reaches(id, 'Completed'), 'BulkExport')
    for (const run of await scene.runs(id)) expectToFit(run, 'BulkExportRun')
    for (const listed of await scene.api.ok('GET', '/destinations')) expectToFit(listed, 'BulkExportDestination')
  })

  test('assistants', async () => {
    const assistant = await call<{ assistant_id: string }>('POST', '/assistants', { graph_id: 'echo' })
    expectToFit(assistant, 'Assistant')
    expectToFit(await call('GET', `/assistants/${assistant.assistant_id}`), 'Assistant')
    for (const found of await call<unknown[]>('POST', '/assistants/search', {})) expectToFit(found, 'Assistant')
  })
})

describe('browser clients', () => {
  test('of any origin may call the server and read its headers', async () => {
    const response = await mock.fetch(
      new Request('http://mock.test/threads', { method: 'POST', body: '{}', headers: { origin: 'http://page.test' } }),
    )
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'Content-Location,Location,Retry-After,X-Pagination-Total,X-Pagination-Next',
    )
  })

  test('are told so before they send credentials', async () => {
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

  test('get no headers that they did not ask for', async () => {
    const response = await mock.fetch(new Request('http://mock.test/ok'))
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})
