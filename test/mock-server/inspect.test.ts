import { expect, test } from 'vitest'
import type { MockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { callTool, interrupt } from '../../mock-server/scripting/steps.ts'
import { controlClient, openMock } from '../fixtures/control-client.ts'

async function post<T>(mock: MockServer, path: string, body: unknown, headers = {}): Promise<T> {
  return (await mock.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })).json() as Promise<T>
}

const input = { messages: [{ role: 'user', content: 'Where is order 7?' }] }

test('shows a thread with its messages and runs', async () => {
  const mock = openMock({ clock: manualClock(0) })
  mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), 'It is on its way.'])
  const { thread_id } = await post<{ thread_id: string }>(mock, '/threads', { metadata: { topic: 'orders' } })
  await post(mock, `/threads/${thread_id}/runs/wait`, { assistant_id: 'support', input })

  expect(mock.inspect.threads()).toEqual({
    threads: [
      {
        thread_id,
        status: 'idle',
        created_at: 0,
        updated_at: 0,
        runs: 1,
        messages: 4,
        preview: 'It is on its way.',
      },
    ],
    total: 1,
  })
  expect(mock.inspect.thread(thread_id)).toMatchObject({
    metadata: { topic: 'orders' },
    messages: [{ type: 'human' }, { type: 'ai', tool_calls: [{ name: 'lookup' }] }, { type: 'tool' }, { type: 'ai' }],
    runs: [{ status: 'success', graph_id: 'support', input, error: undefined }],
  })
  expect(mock.inspect.thread('none')).toBeUndefined()
})

test('shows the tools that the last message calls, and the interrupts that wait', async () => {
  const mock = openMock()
  mock.script('support', [callTool('lookup', { order: 7 }), interrupt('Refund order 7?')])
  const { thread_id } = await post<{ thread_id: string }>(mock, '/threads', {})
  await post(mock, `/threads/${thread_id}/runs/wait`, { assistant_id: 'support', input })
  expect(mock.inspect.threads().threads).toMatchObject([{ status: 'interrupted', preview: 'calls lookup' }])
  expect(mock.inspect.thread(thread_id)?.interrupts).toMatchObject([{ value: 'Refund order 7?' }])
})

test('reading changes nothing: the first poll of a run still shows pending', async () => {
  const clock = manualClock(0)
  const mock = openMock({ clock, dialect: 'agent-server' })
  const { thread_id } = await post<{ thread_id: string }>(mock, '/threads', {})
  const { run_id } = await post<{ run_id: string }>(mock, `/threads/${thread_id}/runs`, { assistant_id: 'slow', input })
  await clock.advance(10)
  expect(mock.inspect.thread(thread_id)?.runs).toMatchObject([{ run_id, status: 'running' }])
  expect(await (await mock.fetch(`/threads/${thread_id}/runs/${run_id}`)).json()).toMatchObject({ status: 'pending' })
})

test('shows what all users have stored, without secrets', async () => {
  const mock = openMock({ journal: true })
  const config = { configurable: { api_key: 'key-of-ann', color: 'red' } }
  await post(mock, '/assistants', { graph_id: 'echo', name: 'mine', config }, { authorization: 'Bearer token-of-ann' })
  await post(mock, '/threads', { metadata: { note: 'token-of-ann' } }, { authorization: 'Bearer token-of-ann' })

  expect(mock.inspect.assistants()).toHaveLength(7)
  expect(mock.inspect.assistants()[0]).toMatchObject({
    name: 'mine',
    config: { configurable: { api_key: '[redacted]', color: 'red' } },
  })
  const [thread] = mock.inspect.threads().threads
  expect(mock.inspect.thread(thread?.thread_id ?? '')?.metadata).toMatchObject({ note: '[redacted]' })
})

test('shows exports with their files', async () => {
  const mock = openMock({ export: { bucket: 'memory' }, journal: true })
  expect(mock.inspect.exports()).toEqual([])
  mock.scriptExports({ rows: 3 })
  const keys = { 'x-api-key': 'touchstone-enterprise', 'x-tenant-id': '00000000-0000-4000-8000-00000000000a' }
  const destination = await post<{ id: string }>(
    mock,
    '/api/v1/bulk-exports/destinations',
    {
      destination_type: 's3',
      display_name: 'local',
      config: { bucket_name: 'traces', prefix: 'exports', region: 'eu-north-1' },
      credentials: { access_key_id: 'ann', secret_access_key: 'tell-nobody' },
    },
    keys,
  )
  const { id } = await post<{ id: string }>(
    mock,
    '/api/v1/bulk-exports',
    {
      bulk_export_destination_id: destination.id,
      session_id: '5e000000-0000-4000-8000-000000000001',
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-02T00:00:00Z',
    },
    keys,
  )
  await expect.poll(() => mock.inspect.exports()[0]?.status).toBe('Completed')
  expect(mock.inspect.exports()).toMatchObject([
    {
      id,
      destination: { name: 'local', bucket: 'traces', prefix: 'exports' },
      runs: [{ status: 'Completed', rows_written: 3, files: [expect.stringMatching(/\.parquet$/)] }],
    },
  ])
  expect(JSON.stringify(mock.inspect.exports())).not.toContain('tell-nobody')
})

test('over HTTP, with pages and errors', async () => {
  const mock = openMock()
  for (let number = 0; number < 3; number++) await post(mock, '/threads', {})
  const { call } = controlClient(mock)
  const get = async (path: string) => (await call('GET', `/__touchstone/${path}`)).body
  expect(await get('threads?limit=2&offset=2')).toMatchObject({ threads: { length: 1 }, total: 3 })
  expect(await get('threads?limit=all')).toEqual({
    detail: 'Field "limit": expected a whole number from 1, received "all"',
  })
  expect(await get('threads/none')).toEqual({ detail: 'There is no thread "none"; GET threads lists them' })
  expect(await get('assistants')).toMatchObject({ assistants: { length: 6 } })
  expect(await get('exports')).toEqual({ exports: [] })
})
