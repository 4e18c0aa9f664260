import { Client } from '@langchain/langgraph-sdk'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { callTool, emit, fail, interrupt, stream } from '../../mock-server/scripting/steps.ts'
import { say } from '../fixtures/mock-client.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']

/** A mock server with a scripted graph, and the stream of a thread that does not exist yet. */
function setUp(dialect: DialectName, ...replies: Parameters<ReturnType<typeof createMockServer>['script']>[1][]) {
  const mock = createMockServer({ dialect })
  mock.script('support', ...replies)
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch, maxRetries: 0 } })
  const thread_id = crypto.randomUUID()
  const open = () => client.threads.stream(thread_id, { assistantId: 'support', fetch: mock.fetch as typeof fetch })
  return { mock, client, thread_id, open }
}

async function collect<T, R>(items: AsyncIterable<T>, map: (item: T) => R | Promise<R>): Promise<R[]> {
  const found: R[] = []
  for await (const item of items) found.push(await map(item))
  return found
}

describe.each(dialects)('threads.stream of the SDK with the dialect %s', (dialect) => {
  test('streams the tokens, tools, values and custom events of a run', async () => {
    const { mock, open } = setUp(dialect, [
      emit({ progress: 1 }),
      callTool('lookup', { order: 7 }, 'shipped', { id: 'call_1' }),
      stream('It is on its way'),
    ])
    const thread = open()
    const texts = collect(thread.messages, ({ text }) => text)
    const names = collect(thread.toolCalls, async ({ name, output }) => `${name} ${await output}`)
    const custom = await thread.subscribe(['custom'])
    const { run_id } = await thread.run.start(say('Where is it?'))
    expect(run_id).toMatch(/^[0-9a-f-]{36}$/)
    const { value } = await custom[Symbol.asyncIterator]().next()
    expect(value?.params.data).toEqual({ payload: { progress: 1 } })
    const output = (await thread.output) as { messages: { content: unknown }[] }
    expect(output.messages.map(({ content }) => content)).toEqual(['Where is it?', '', 'shipped', 'It is on its way'])
    await thread.close()
    expect(await texts).toContain('It is on its way')
    expect(new Set(await names)).toEqual(new Set(['lookup shipped']))
    await mock.close()
  })

  test('shows an interrupt and resumes it', async () => {
    const { mock, open, client, thread_id } = setUp(dialect, [
      interrupt({ question: 'Publish?' }),
      ({ resume }) => `You said ${resume}`,
    ])
    const thread = open()
    await thread.run.start(say('A'))
    await expect.poll(() => thread.interrupts).toHaveLength(1)
    expect(thread.interrupts[0]?.payload).toEqual({ question: 'Publish?' })
    const interrupt_id = thread.interrupts[0]?.interruptId ?? ''
    await thread.input.respond({ namespace: [], interrupt_id, response: 'yes' })
    await expect
      .poll(async () => JSON.stringify((await client.threads.getState(thread_id)).values))
      .toContain('You said yes')
    await expect(thread.input.respond({ namespace: [], interrupt_id, response: 'again' })).rejects.toThrow(
      /no_such_interrupt|no interrupt is pending/,
    )
    await thread.close()
    await mock.close()
  })

  test('reports the error of a run', async () => {
    const { mock, open } = setUp(dialect, fail('No such order'))
    const thread = open()
    const ended = new Promise((resolve) => {
      thread.onEvent(({ method, params }) => {
        const { event, error } = params.data as { event?: string; error?: string }
        if (method === 'lifecycle' && event === 'failed') resolve(error)
      })
    })
    await thread.run.start(say('A'))
    const error = { error: 'Error', message: 'No such order' }
    expect(await ended).toBe(dialect === 'js-dev' ? JSON.stringify(error) : error.message)
    await thread.close()
    await mock.close()
  })

  test('a second client of the thread receives the events of a run that started before', async () => {
    const { mock, open } = setUp(dialect, stream('one two'))
    const first = open()
    await first.run.start(say('A'))
    await first.output
    const second = open()
    const values = await second.subscribe(['values'])
    const { value } = await values[Symbol.asyncIterator]().next()
    expect(value?.params.data).toMatchObject({ messages: [{ content: 'A' }] })
    await Promise.all([first.close(), second.close()])
    await mock.close()
  })
})

test.each(dialects)('the SDK assembles reasoning, streamed tool calls and usage (%s)', async (dialect) => {
  const usage_metadata = { input_tokens: 7, output_tokens: 5, total_tokens: 12 }
  const streamed = { streamed: true, reasoning: 'Which order?', content: 'Let me look.', message: { usage_metadata } }
  const { mock, open } = setUp(
    dialect,
    callTool('lookup', { order: 7, deep: { a: [1] } }, 'shipped', { id: 'call_1', ...streamed }),
  )
  const thread = open()
  const messages = collect(thread.messages, async (message) => ({
    text: await message.text,
    reasoning: await message.reasoning,
    calls: (await message.toolCalls).map(({ name, args }) => ({ name, args })),
    usage: await message.usage,
  }))
  await thread.run.start(say('Where is it?'))
  await thread.output
  await thread.close()
  expect((await messages)[0]).toEqual({
    text: 'Let me look.',
    reasoning: 'Which order?',
    calls: [{ name: 'lookup', args: { order: 7, deep: { a: [1] } } }],
    usage: usage_metadata,
  })
  await mock.close()
})
