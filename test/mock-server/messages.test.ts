import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { clientOf, type MessageBody, say } from '../fixtures/mock-client.ts'

const metadata = (graph: string): object => ({ kit: { graph, revision: '1' } })

async function messagesAfter(assistant_id: string, input: object): Promise<MessageBody[]> {
  const { thread, run, ended, state } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id, ...input }))
  return (await state(created)).values.messages
}

test('stores human and ai messages with every documented field', async () => {
  expect(await messagesAfter('chat', say('A'))).toEqual([
    {
      type: 'human',
      content: 'A',
      id: expect.any(String),
      name: null,
      example: false,
      additional_kwargs: {},
      response_metadata: {},
    },
    {
      type: 'ai',
      content: 'chat: A',
      id: expect.any(String),
      name: null,
      example: false,
      additional_kwargs: {},
      response_metadata: metadata('chat'),
      tool_calls: [],
      invalid_tool_calls: [],
      usage_metadata: null,
    },
  ])
})

test('stores tool calls, tool messages and usage as documented', async () => {
  const [, plan, lookup, reply] = await messagesAfter('tools', say('tea'))
  const call = { name: 'lookup', args: { query: 'tea' }, id: expect.any(String), type: 'tool_call' }
  expect(plan).toMatchObject({ type: 'ai', content: '', tool_calls: [call], response_metadata: metadata('tools') })
  expect(lookup).toMatchObject({
    type: 'tool',
    content: 'found: tea',
    tool_call_id: plan?.tool_calls?.[0]?.id,
    artifact: { query: 'tea' },
    status: 'success',
  })
  expect(reply).toMatchObject({
    content: 'answer: tea',
    usage_metadata: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
  })
})

test('accepts input messages with a role or a type, and keeps id and name', async () => {
  const messages = [
    { role: 'user', content: 'one', id: 'my-id', name: 'Ann' },
    { role: 'human', content: 'two' },
    { type: 'human', content: 'three' },
  ]
  const stored = await messagesAfter('echo', { input: { messages } })
  expect(stored.slice(0, 3)).toMatchObject([
    { type: 'human', content: 'one', id: 'my-id', name: 'Ann' },
    { type: 'human', content: 'two', name: null },
    { type: 'human', content: 'three' },
  ])
})

test('keeps content blocks, and test graphs read their text', async () => {
  const blocks = [
    { type: 'text', text: 'a cup ' },
    { type: 'image_url', image_url: { url: 'data:,' } },
    { type: 'text', text: 'of tea' },
  ]
  const [human, ai] = await messagesAfter('echo', say(blocks))
  expect(human?.content).toEqual(blocks)
  expect(ai?.content).toBe('first: a cup of tea')
})

test('a message with a known id replaces the older one', async () => {
  const { thread, run, ended, contents } = clientOf(createMockServer())
  const created = await thread()
  const input = (content: string): object => ({ input: { messages: [{ role: 'user', content, id: 'same' }] } })
  await ended(await run(created, { assistant_id: 'echo', ...input('A') }))
  await ended(await run(created, { assistant_id: 'echo', ...input('B') }))
  expect(await contents(created)).toEqual(['B', 'first: A', 'second: A', 'first: B', 'second: B'])
})

test('rejects an invalid message before the run is created', async () => {
  const { thread, send, get } = clientOf(createMockServer())
  const { thread_id } = await thread()
  const invalidMessages = [
    { content: 'no role' },
    { role: 'pirate', content: 'A' },
    { role: 'user' },
    { role: 'user', content: 7 },
    { role: 'user', content: ['A'] },
    { role: 'tool', content: 'A' },
    7,
  ]
  for (const message of invalidMessages) {
    const response = await send('POST', `/threads/${thread_id}/runs`, {
      assistant_id: 'echo',
      input: { messages: [message] },
    })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('input.messages.0')
  }
  expect(await get(`/threads/${thread_id}/runs`)).toEqual([])
})

test('accepts pairs of role and text, the role `developer`, and serialized messages of LangChain', async () => {
  const messages = [
    ['user', 'one'],
    { role: 'developer', content: 'two' },
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'three', id: 'own', additional_kwargs: {}, response_metadata: {} },
    },
  ]
  const [one, two, three] = await messagesAfter('echo', { input: { messages } })
  expect(one).toMatchObject({ type: 'human', content: 'one' })
  expect(two).toMatchObject({ type: 'system', content: 'two' })
  expect(three).toMatchObject({ type: 'human', content: 'three', id: 'own' })
})

test('a message of type `remove` removes the message with its id', async () => {
  const { thread, run, ended, state, send } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'echo', ...say('A') }))
  const path = `/threads/${created.thread_id}/state`
  const remove = (id: string | undefined) => ({ values: { messages: [{ type: 'remove', id, content: '' }] } })
  const contents = async () => (await state(created)).values.messages.map(({ content }) => content)

  const [first] = (await state(created)).values.messages
  expect((await send('POST', path, remove(first?.id))).status).toBe(200)
  expect(await contents()).toEqual(['first: A', 'second: A'])
  await send('POST', path, {
    values: {
      messages: [
        { type: 'remove', id: '__remove_all__' },
        { role: 'user', content: 'B' },
      ],
    },
  })
  expect(await contents()).toEqual(['B'])
})
