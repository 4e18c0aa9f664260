import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { exportScene } from '../fixtures/export-scene.ts'

interface OpenApi {
  readonly openapi: string
  readonly paths: Record<string, Record<string, unknown>>
  readonly components: { schemas: Record<string, object> }
}

const mock: MockServer = createMockServer()

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await mock.fetch(new Request(`http://mock.test${path}`, { method, ...init }))
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

let description: OpenApi

beforeAll(async () => {
  description = await call<OpenApi>('GET', '/openapi.json')
})

/** Fails unless the answer is what the description says of this schema. */
function expectToFit(answer: unknown, schema: string): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: description.components })
  const valid = ajv.validate({ $ref: `api#/components/schemas/${schema}` }, answer)
  expect(valid, ajv.errorsText()).toBe(true)
}

test('describes every endpoint', () => {
  expect(description.openapi).toBe('3.1.0')
  const endpoints = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(endpoints.toSorted()).toEqual([
    'GET /api/v1/bulk-exports',
    'GET /api/v1/bulk-exports/destinations',
    'GET /api/v1/bulk-exports/destinations/{destination_id}',
    'GET /api/v1/bulk-exports/runs',
    'GET /api/v1/bulk-exports/{export_id}',
    'GET /api/v1/bulk-exports/{export_id}/runs',
    'GET /api/v1/bulk-exports/{export_id}/runs/{run_id}',
    'GET /assistants/{assistant_id}',
    'GET /threads',
    'GET /threads/{thread_id}/runs',
    'GET /threads/{thread_id}/runs/{run_id}',
    'GET /threads/{thread_id}/runs/{run_id}/join',
    'GET /threads/{thread_id}/runs/{run_id}/stream',
    'GET /threads/{thread_id}/state',
    'PATCH /api/v1/bulk-exports/destinations/{destination_id}',
    'PATCH /api/v1/bulk-exports/{export_id}',
    'POST /api/v1/bulk-exports',
    'POST /api/v1/bulk-exports/destinations',
    'POST /assistants',
    'POST /assistants/search',
    'POST /threads',
    'POST /threads/{thread_id}/runs',
    'POST /threads/{thread_id}/runs/stream',
  ])
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
      'Content-Location,Location,X-Pagination-Total,X-Pagination-Next',
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
