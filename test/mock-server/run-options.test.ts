import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']

const showContext = defineGraph({
  nodes: { show: (_state, { context }) => ({ messages: [{ role: 'ai', content: JSON.stringify(context) }] }) },
})

test.each(dialects)('a node gets the context of the run, added to that of its assistant (%s)', async (dialect) => {
  const mock = createMockServer({ dialect, graphs: { showContext } })
  const { client, thread_id, contents } = await sdkThread(mock)
  const { assistant_id } = await client.assistants.create({
    graphId: 'showContext',
    context: { model: 'small', user: 'A' },
  })
  const run = await client.runs.create(thread_id, assistant_id, { ...say('?'), context: { model: 'large' } })
  await client.runs.join(thread_id, run.run_id)
  expect((await contents()).at(-1)).toBe('{"model":"large","user":"A"}')
  expect(run).toMatchObject({ kwargs: { context: { model: 'large', user: 'A' } } })
})

test('agent-server copies the context to the configuration, and refuses both', async () => {
  const { thread, run, send } = clientOf(createMockServer({ dialect: 'agent-server' }))
  const created = await thread()
  const body = { assistant_id: 'echo', ...say('A'), context: { model: 'large' } }
  expect((await run(created, body)).kwargs.config.configurable).toMatchObject({ model: 'large' })
  const both = { ...body, config: { configurable: { a: 1 } } }
  const response = await send('POST', `/threads/${created.thread_id}/runs`, both)
  expect([response.status, await response.text()]).toEqual([
    400,
    '{"detail":"Expected config.configurable or context, received both; send context alone"}',
  ])
})

test('a run with the durability exit writes its last state only', async () => {
  const { client, thread_id } = await sdkThread(createMockServer())
  await client.runs.wait(thread_id, 'echo', say('A'))
  await client.runs.wait(thread_id, 'echo', { ...say('B'), durability: 'exit' })
  const [last, before, ...older] = await client.threads.getHistory(thread_id)
  expect(last?.parent_checkpoint).toEqual(before?.checkpoint)
  expect([last, before].map((state) => state?.metadata?.['step'])).toEqual([6, 2])
  expect(older).toHaveLength(3)
})

test('an interrupt of a run with the durability exit can be resumed', async () => {
  const ask = defineGraph({
    nodes: {
      plan: () => ({ messages: [{ role: 'ai', content: 'planned' }] }),
      ask: (_state, { interrupt }) => ({ messages: [{ role: 'ai', content: String(interrupt('?')) }] }),
    },
  })
  const { client, thread_id, contents } = await sdkThread(createMockServer({ graphs: { ask } }))
  await client.runs.wait(thread_id, 'ask', { ...say('A'), durability: 'exit' })
  expect(await client.threads.getHistory(thread_id)).toHaveLength(1)
  await client.runs.wait(thread_id, 'ask', { command: { resume: 'yes' }, durability: 'exit' })
  expect(await contents()).toEqual(['A', 'planned', 'yes'])
})

const run = { assistant_id: 'echo', ...say('A') }

test.each([
  ['an unknown durability', 'runs', { ...run, durability: 'never' }, /durability.*expected one of .*sync/],
  ['keys of feedback', 'runs', { ...run, feedback_keys: ['score'] }, /feedback_keys.*LangSmith/],
  [
    'a checkpoint of a subgraph',
    'runs',
    { ...run, checkpoint: { checkpoint_map: { a: 'b' } } },
    /subgraphs of this server have no checkpoints/,
  ],
  [
    'a namespace of a subgraph',
    'runs',
    { ...run, checkpoint: { checkpoint_ns: 'a' } },
    /subgraphs of this server have no checkpoints/,
  ],
  [
    'the unknown stream mode lifecycle',
    'runs',
    { ...run, stream_mode: 'lifecycle' },
    /expected one of values, .*tools/,
  ],
  ['a number as the next node', 'runs', { ...run, command: { goto: [1] } }, /expected a node: its name/],
])('refuses %s', async (_name, path, body, message) => {
  const { thread, send } = clientOf(createMockServer())
  const response = await send('POST', `/threads/${(await thread()).thread_id}/${path}`, body)
  expect([response.status, await response.text()]).toEqual([422, expect.stringMatching(message)])
})

test.each([
  ['POST', '/threads', { ttl: { ttl: 5 } }, /expected no ttl, because this server keeps threads/],
  ['POST', '/threads/search', { select: ['nope'] }, /expected one of thread_id, .*received \\"nope\\"/],
  ['POST', '/assistants/search', { select: ['nope'] }, /expected one of assistant_id, .*received \\"nope\\"/],
])('refuses unknown fields: %s %s', async (method, path, body, message) => {
  const response = await clientOf(createMockServer()).send(method, path, body)
  expect([response.status, await response.text()]).toEqual([422, expect.stringMatching(message)])
})

test('lists the selected fields of runs', async () => {
  const { client, thread_id } = await sdkThread(createMockServer())
  const { run_id } = await client.runs.create(thread_id, 'echo', say('A'))
  expect(await client.runs.list(thread_id, { select: ['run_id', 'thread_id'] })).toEqual([{ run_id, thread_id }])
  // @ts-expect-error: not a field of a run
  await expect(client.runs.list(thread_id, { select: ['nope'] })).rejects.toThrow(/expected one of run_id, /)
})

test.each([
  ['the name of a node', 'second', 'second: A'],
  ['an array of one name', ['second'], 'second: A'],
  ['a node with its own input', { node: 'second', input: say('sent').input }, 'second: sent'],
  ['an array of one of those', [{ node: 'second', input: say('sent').input }], 'second: sent'],
])('a command jumps to a node: %s', async (_name, goto, expected) => {
  const { client, thread_id, contents } = await sdkThread(createMockServer())
  await client.runs.wait(thread_id, 'echo', say('A'))
  await client.runs.wait(thread_id, 'echo', { command: { goto } })
  expect(await contents()).toEqual(['A', 'first: A', 'second: A', expected])
})

test.each([
  ['nodes, after which the graph continues', ['second', 'first'], ['first: A', 'second: A', 'second: A']],
  [
    'nodes with their own inputs',
    [
      { node: 'second', input: say('B').input },
      { node: 'second', input: say('C').input },
    ],
    ['second: B', 'second: C'],
  ],
  [
    'a node and a node with its own input',
    [{ node: 'second', input: say('B').input }, 'second'],
    ['second: A', 'second: B'],
  ],
])('a command jumps to several nodes at once: %s', async (_name, goto, expected) => {
  const { client, thread_id, contents } = await sdkThread(createMockServer())
  await client.runs.wait(thread_id, 'echo', say('A'))
  // The types of the SDK do not mix names and objects.
  await client.runs.wait(thread_id, 'echo', { command: { goto: goto as string[] } })
  expect((await contents()).slice(3)).toEqual(expected)
})

test.each(['spec', 'agent-server', 'js-dev'] as const)(
  'a command ignores nodes that the graph does not have (%s)',
  async (dialect) => {
    const { client, thread_id, contents } = await sdkThread(createMockServer({ dialect }))
    await client.runs.wait(thread_id, 'echo', { ...say('A'), interruptBefore: ['second'] })
    await client.runs.wait(thread_id, 'echo', { command: { goto: 'nope' } })
    expect(await contents()).toEqual(['A', 'first: A', 'second: A'])
    await client.runs.wait(thread_id, 'echo', { command: { goto: ['nope', 'second', '__end__'] } })
    await client.runs.wait(thread_id, 'echo', { command: { goto: { node: 'nope', input: {} } } })
    expect(await contents()).toEqual(['A', 'first: A', 'second: A', 'second: A'])
  },
)

test('a new thread executes a command without input (js-dev)', async () => {
  const { client, thread_id, contents } = await sdkThread(createMockServer({ dialect: 'js-dev' }))
  await expect(client.runs.wait(thread_id, 'echo', { command: { goto: [] } })).rejects.toThrow('EmptyInputError')
  await client.runs.wait(thread_id, 'echo', { command: { update: say('A').input, goto: 'second' } })
  expect(await contents()).toEqual(['A', 'second: A'])
})

/** A graph with nodes that end, interrupt, fail and never end. */
const several = defineGraph({
  nodes: {
    ready: () => undefined,
    say: () => ({ messages: [{ role: 'ai', content: 'said' }] }),
    ask: (_state, { interrupt }) => ({ messages: [{ role: 'ai', content: String(interrupt('?')) }] }),
    fail: () => {
      throw new Error('failed')
    },
    wait: async (_state, { sleep }) => {
      await sleep(3_600_000)
    },
  },
  next: () => undefined,
})

test('an interrupt keeps the results of the other nodes of its step', async () => {
  const { client, thread_id, contents } = await sdkThread(createMockServer({ graphs: { several } }))
  await client.runs.wait(thread_id, 'several', say('A'))
  await client.runs.wait(thread_id, 'several', { command: { goto: ['say', 'ask'] } })
  expect(await contents()).toEqual(['A'])
  expect(await client.threads.getState(thread_id)).toMatchObject({ next: ['ask'], tasks: [{}, {}] })

  const events = []
  const resumed = { command: { resume: 'yes' }, streamMode: 'updates' } as const
  for await (const { event, data } of client.runs.stream(thread_id, 'several', resumed)) events.push([event, data])
  expect(events.map(([, data]) => Object.keys(data as object))).toEqual([['run_id', 'attempt'], ['ask']])
  expect(await contents()).toEqual(['A', 'yes', 'said'])
})

test.each(dialects)(
  'one value resumes several interrupts, except on the public Python server (%s)',
  async (dialect) => {
    const { client, thread_id, contents } = await sdkThread(createMockServer({ dialect, graphs: { several } }))
    await client.runs.wait(thread_id, 'several', say('A'))
    const ask = { node: 'ask', input: {} }
    // The types of the SDK do not allow several nodes with inputs of their own.
    await client.runs.wait(thread_id, 'several', { command: { goto: [ask, ask] as never } })
    const interrupts = (await client.threads.getState(thread_id)).tasks.flatMap((task) => task.interrupts)
    const one = client.runs.wait(thread_id, 'several', { command: { resume: 'yes' } })
    if (dialect === 'agent-server') {
      await expect(one).rejects.toThrow(`the value for each interrupt by its id (${interrupts[0]?.id}, `)
      const resume = Object.fromEntries(interrupts.map(({ id }) => [id, 'yes']))
      await client.runs.wait(thread_id, 'several', { command: { resume } })
    } else await one
    expect(await contents()).toEqual(['A', 'yes', 'yes'])
  },
)

test('agent-server refuses names and objects in one array, as the public Python server does', async () => {
  const { client, thread_id } = await sdkThread(createMockServer({ dialect: 'agent-server' }))
  const goto = ['first', { node: 'second', input: {} }] as never
  await expect(client.runs.wait(thread_id, 'echo', { command: { goto } })).rejects.toThrow(
    'expected an array of names or an array of objects, received an array of 2 items',
  )
})

test('a node that fails stops the other nodes of its step', async () => {
  const { client, thread_id, contents } = await sdkThread(createMockServer({ graphs: { several } }))
  await client.runs.wait(thread_id, 'several', say('A'))
  await expect(client.runs.wait(thread_id, 'several', { command: { goto: ['wait', 'fail'] } })).rejects.toThrow(
    'failed',
  )
  expect(await contents()).toEqual(['A'])
  expect((await client.threads.getState(thread_id)).next.toSorted()).toEqual(['fail', 'wait'])
})

test('a script refuses several nodes at once', async () => {
  const mock = createMockServer()
  mock.script('support', ['Hello.', { say: 'Bye.', node: 'end' }])
  const { client, thread_id } = await sdkThread(mock)
  const jump = client.runs.wait(thread_id, 'support', { command: { goto: ['agent', 'end'] } })
  await expect(jump).rejects.toThrow('command.goto: expected at most one node')
})

test('an empty array of nodes is the same as none', async () => {
  const ask = defineGraph({
    nodes: { ask: (_state, { interrupt }) => ({ messages: [{ role: 'ai', content: String(interrupt('?')) }] }) },
  })
  const { client, thread_id, contents } = await sdkThread(createMockServer({ graphs: { ask } }))
  await client.runs.wait(thread_id, 'ask', say('A'))
  await client.runs.wait(thread_id, 'ask', { command: { resume: 'yes', goto: [] } })
  expect(await contents()).toEqual(['A', 'yes'])
})

test('an interrupt of a node with its own input keeps that input', async () => {
  const review = defineGraph({
    nodes: {
      start: () => undefined,
      review: ({ messages }, { interrupt }) => ({
        messages: [{ role: 'ai', content: `${messages.map(({ content }) => content)}: ${interrupt('?')}` }],
      }),
    },
  })
  const { client, thread_id, contents } = await sdkThread(createMockServer({ graphs: { review } }))
  await client.threads.updateState(thread_id, { values: {} }).catch(() => undefined)
  const goto = { node: 'review', input: say('draft').input }
  await client.runs.wait(thread_id, 'review', { command: { goto } })
  await client.runs.wait(thread_id, 'review', { command: { resume: 'fine' } })
  expect(await contents()).toEqual(['draft: fine'])
})

test.each(dialects)('reads the graph of an assistant by the name of the graph (%s)', async (dialect) => {
  const { client } = await sdkThread(createMockServer({ dialect }))
  const { nodes } = await client.assistants.getGraph('echo')
  expect(nodes.map(({ id }) => id)).toEqual(['__start__', 'first', 'second', '__end__'])
})
