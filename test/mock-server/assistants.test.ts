import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'

interface AssistantAnswer {
  assistant_id: string
  graph_id: string
  [field: string]: unknown
}

test('each graph has a default assistant, whose id public servers share', async () => {
  const { post } = clientOf(createMockServer())
  const found = await post<AssistantAnswer[]>('/assistants/search', { limit: 100, offset: 0 })
  expect(found.map(({ graph_id }) => graph_id).sort()).toEqual(['chat', 'echo', 'fail', 'slow', 'tools', 'whoami'])
  expect(found.find(({ graph_id }) => graph_id === 'echo')).toMatchObject({
    assistant_id: '046b5dc7-2108-582c-9c6c-31d556d138f0',
    config: {},
    metadata: { created_by: 'system' },
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

test('a created assistant is returned, can be read, and has empty metadata', async () => {
  const { post, get } = clientOf(createMockServer())
  const config = { configurable: { delay_ms: 5 } }
  const created = await post<AssistantAnswer>('/assistants', { graph_id: 'slow', config })
  expect(created).toMatchObject({ graph_id: 'slow', config, metadata: {} })
  expect(await get(`/assistants/${created.assistant_id}`)).toEqual(created)
  expect(await post('/assistants', { graph_id: 'slow' })).toMatchObject({ config: {} })
})

test("an assistant's configuration reaches the graph; the run's own goes before it", async () => {
  const { post, thread, run, ended, contents } = clientOf(createMockServer())
  const created = await post<AssistantAnswer>('/assistants', {
    graph_id: 'whoami',
    config: { configurable: { cup: 'blue', tea: 'green' } },
  })
  const { assistant_id } = created
  const somewhere = await thread()
  const started = await run(somewhere, { assistant_id, config: { configurable: { tea: 'black' } } })
  expect(started).toMatchObject({ assistant_id, kwargs: { config: { metadata: { created_by: 'system' } } } })
  await ended(started)
  const [said] = await contents(somewhere)
  expect(JSON.parse(String(said))).toMatchObject({
    user: null,
    configurable: { cup: 'blue', tea: 'black', graph_id: 'whoami', assistant_id, user_id: '' },
  })
})

test('search pages through all assistants, newest first', async () => {
  const { post, send } = clientOf(createMockServer())
  const ids: string[] = []
  for (let count = 0; count < 7; count++) {
    ids.unshift((await post<AssistantAnswer>('/assistants', { graph_id: 'echo' })).assistant_id)
  }
  const answer = await send('POST', '/assistants/search', { limit: 5, offset: 3 })
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'x-pagination-total': '13', 'x-pagination-next': '8' })
  const page: AssistantAnswer[] = JSON.parse(await answer.text())
  expect(page.slice(0, 4).map(({ assistant_id }) => assistant_id)).toEqual(ids.slice(3))
  const mine = await post<AssistantAnswer[]>('/assistants/search', {
    graph_id: 'chat',
    metadata: { created_by: 'system' },
  })
  expect(mine).toMatchObject([{ graph_id: 'chat' }])
})

test('unknown graphs and assistants are told apart from known ones', async () => {
  const { send, thread } = clientOf(createMockServer())
  const { thread_id } = await thread()
  const nobody = '6f2ab1c4-9a3e-4b51-8f9a-0c5a7d1e2f30'
  expect((await send('POST', '/assistants', { graph_id: 'nope' })).status).toBe(404)
  expect((await send('GET', `/assistants/${nobody}`)).status).toBe(404)
  expect((await send('GET', '/assistants/echo')).status).toBe(422)
  for (const assistant_id of ['nope', nobody, '', '__proto__', 'constructor']) {
    const answer = await send('POST', `/threads/${thread_id}/runs`, { assistant_id, ...say('A') })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('echo')
  }
})

test('an existing id is refused, or answered with what exists', async () => {
  const { post, send } = clientOf(createMockServer())
  const created = await post<AssistantAnswer>('/assistants', { graph_id: 'echo', name: 'Ann' })
  const again = { graph_id: 'chat', assistant_id: created.assistant_id }
  expect((await send('POST', '/assistants', again)).status).toBe(409)
  expect(await post('/assistants', { ...again, if_exists: 'do_nothing' })).toEqual(created)
})
