import { Client } from '@langchain/langgraph-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'

describe.each(['document', 'agent-server', 'js-dev'] as const)('the public SDK works in the dialect %s', (dialect) => {
  let server: Listening
  let client: Client

  beforeAll(async () => {
    server = await listen(createMockServer({ dialect }), { port: 0 })
    client = new Client({ apiUrl: server.url })
  })

  afterAll(() => server.close())

  test('assistants.search, get and create', async () => {
    const found = await client.assistants.search({ graphId: 'echo', limit: 1 })
    expect(found).toMatchObject([{ graph_id: 'echo', metadata: { created_by: 'system' } }])
    const created = await client.assistants.create({ graphId: 'echo', config: { configurable: { cup: 'blue' } } })
    expect(await client.assistants.get(created.assistant_id)).toEqual(created)
  })

  test('threads.create and getState, runs.create, list, get and join', async () => {
    const { thread_id } = await client.threads.create()
    const input = { messages: [{ role: 'user', content: 'hi' }] }
    const { run_id } = await client.runs.create(thread_id, 'echo', { input, multitaskStrategy: 'enqueue' })
    const values = await client.runs.join(thread_id, run_id)
    expect(values).toMatchObject({ messages: [{ type: 'human' }, { content: 'first: hi' }, { content: 'second: hi' }] })
    expect((await client.threads.getState(thread_id)).values).toEqual(values)
    expect(await client.runs.get(thread_id, run_id)).toMatchObject({ run_id, status: 'success' })
    expect(await client.runs.list(thread_id)).toMatchObject([{ run_id }])
  })

  test('runs.stream and joinStream', async () => {
    const { thread_id } = await client.threads.create()
    const created: string[] = []
    const events: string[] = []
    const stream = client.runs.stream(thread_id, 'tools', {
      input: { messages: [{ role: 'user', content: 'tea' }] },
      streamMode: ['updates', 'messages-tuple'],
      streamResumable: true,
      onRunCreated: ({ run_id }) => created.push(run_id),
    })
    for await (const { event } of stream) events.push(event)
    const pair = ['updates', 'messages']
    expect(events).toEqual(['metadata', ...pair, ...pair, ...pair])
    const [run_id = ''] = created
    const again: string[] = []
    for await (const { event } of client.runs.joinStream(thread_id, run_id, { lastEventId: '-1' })) again.push(event)
    expect(again).toEqual(events)
  })
})
