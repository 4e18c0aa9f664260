import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'

interface Assistant {
  assistant_id: string
  graph_id: string
  [field: string]: unknown
}

test('each graph has a default assistant with the same id as on public servers', async () => {
  const { post } = clientOf(createMockServer())
  const assistants = await post<Assistant[]>('/assistants/search', { limit: 100, offset: 0 })
  expect(assistants.map(({ graph_id }) => graph_id).sort()).toEqual(['chat', 'echo', 'fail', 'slow', 'tools', 'whoami'])
  expect(assistants.find(({ graph_id }) => graph_id === 'echo')).toMatchObject({
    assistant_id: '046b5dc7-2108-582c-9c6c-31d556d138f0',
    config: {},
    metadata: { created_by: 'system' },
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

test('creates an assistant with empty metadata', async () => {
  const { post, get } = clientOf(createMockServer())
  const config = { configurable: { delay_ms: 5 } }
  const created = await post<Assistant>('/assistants', { graph_id: 'slow', config })
  expect(created).toMatchObject({ graph_id: 'slow', config, metadata: {} })
  expect(await get(`/assistants/${created.assistant_id}`)).toEqual(created)
  expect(await post('/assistants', { graph_id: 'slow' })).toMatchObject({ config: {} })
})

test('a graph receives the configuration of the assistant, overridden by that of the run', async () => {
  const { post, thread, run, ended, contents } = clientOf(createMockServer())
  const created = await post<Assistant>('/assistants', {
    graph_id: 'whoami',
    config: { configurable: { cup: 'blue', tea: 'green' } },
  })
  const { assistant_id } = created
  const target = await thread()
  const started = await run(target, { assistant_id, config: { configurable: { tea: 'black' } } })
  expect(started).toMatchObject({ assistant_id, kwargs: { config: { metadata: { created_by: 'system' } } } })
  await ended(started)
  const [message] = await contents(target)
  expect(JSON.parse(String(message))).toMatchObject({
    user: null,
    configurable: { cup: 'blue', tea: 'black', graph_id: 'whoami', assistant_id, user_id: '' },
  })
})

test('search returns all assistants in pages, newest first', async () => {
  const { post, send } = clientOf(createMockServer())
  const ids: string[] = []
  for (let count = 0; count < 7; count++) {
    ids.unshift((await post<Assistant>('/assistants', { graph_id: 'echo' })).assistant_id)
  }
  const response = await send('POST', '/assistants/search', { limit: 5, offset: 3 })
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-pagination-total': '13', 'x-pagination-next': '8' })
  const page: Assistant[] = JSON.parse(await response.text())
  expect(page.slice(0, 4).map(({ assistant_id }) => assistant_id)).toEqual(ids.slice(3))
  const chatAssistants = await post<Assistant[]>('/assistants/search', {
    graph_id: 'chat',
    metadata: { created_by: 'system' },
  })
  expect(chatAssistants).toMatchObject([{ graph_id: 'chat' }])
})

test('returns 404 for an unknown graph or assistant and 422 for an invalid id', async () => {
  const { send, thread } = clientOf(createMockServer())
  const { thread_id } = await thread()
  const unknownId = '6f2ab1c4-9a3e-4b51-8f9a-0c5a7d1e2f30'
  expect((await send('POST', '/assistants', { graph_id: 'nope' })).status).toBe(404)
  expect((await send('GET', `/assistants/${unknownId}`)).status).toBe(404)
  expect((await send('GET', '/assistants/echo')).status).toBe(422)
  for (const assistant_id of ['nope', unknownId, '', '__proto__', 'constructor']) {
    const response = await send('POST', `/threads/${thread_id}/runs`, { assistant_id, ...say('A') })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('echo')
  }
})

test('returns 409 for an existing id, or the existing assistant with if_exists', async () => {
  const { post, send } = clientOf(createMockServer())
  const created = await post<Assistant>('/assistants', { graph_id: 'echo', name: 'Ann' })
  const request = { graph_id: 'chat', assistant_id: created.assistant_id }
  expect((await send('POST', '/assistants', request)).status).toBe(409)
  expect(await post('/assistants', { ...request, if_exists: 'do_nothing' })).toEqual(created)
})
