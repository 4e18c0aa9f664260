import { Client } from '@langchain/langgraph-sdk'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { whyNotInstalled } from '../../targets/third-party/install.ts'
import { serve } from '../../targets/third-party/serve.ts'
import { langgraphJs } from '../../targets/third-party/servers.ts'
import { start } from '../fixtures/touchstone.ts'

interface Values {
  messages: { type: string; content: string }[]
}

function transcript({ messages }: Values): string[] {
  return messages.map(({ type, content }) => `${type}: ${content}`)
}

/** A test that the team of a client might write. It depends only on the URL of the server. */
async function clientTest(apiUrl: string): Promise<void> {
  const client = new Client({ apiUrl })
  const say = (content: string) =>
    ({ input: { messages: [{ role: 'user', content }] }, multitaskStrategy: 'enqueue' }) as const
  const { thread_id } = await client.threads.create({ metadata: { topic: 'tea' } })

  // A streamed turn.
  const updates: string[] = []
  for await (const { event, data } of client.runs.stream(thread_id, 'echo', {
    ...say('one'),
    streamMode: ['updates'],
  })) {
    if (event === 'updates') updates.push(...Object.keys(data))
  }
  expect(updates).toEqual(['first', 'second'])

  // Two background runs on one thread.
  const runs = [
    await client.runs.create(thread_id, 'echo', say('two')),
    await client.runs.create(thread_id, 'echo', say('three')),
  ]
  for (const { run_id } of runs) await client.runs.join(thread_id, run_id)
  const { values } = await client.threads.getState<Values>(thread_id)
  expect(transcript(values)).toEqual(
    ['one', 'two', 'three'].flatMap((word) => [`human: ${word}`, `ai: first: ${word}`, `ai: second: ${word}`]),
  )
  for (const { run_id } of runs) expect(await client.runs.get(thread_id, run_id)).toMatchObject({ status: 'success' })

  // A run that fails.
  const failing = await client.runs.create(thread_id, 'fail', say('four'))
  await client.runs.join(thread_id, failing.run_id).catch(() => undefined)
  expect(await client.runs.get(thread_id, failing.run_id)).toMatchObject({ status: 'error' })
}

test('the client test passes with a mock server in this process', async () => {
  const before = getGlobalDispatcher()
  onTestFinished(() => setGlobalDispatcher(before))
  setGlobalDispatcher(dispatcher(createMockServer(), { url: 'http://agent.test' }))

  await clientTest('http://agent.test')
})

test('the client test passes with a mock server behind a URL', async () => {
  const server = start(['serve', '--port', '0'])
  onTestFinished(async () => {
    server.process.kill('SIGTERM')
    await server.ended
  })

  await clientTest((await server.firstLine).trim().replace('listening on ', ''))
})

const missing = await whyNotInstalled(langgraphJs)

test.skipIf(missing && process.env['CI'] !== 'true')(
  `the client test passes with ${langgraphJs.package}${missing ? ` (${missing})` : ''}`,
  async () => {
    expect(missing).toBeUndefined()
    const server = await serve(langgraphJs, 'langgraph.json')
    onTestFinished(() => server.close())

    await clientTest(server.url)
  },
)
