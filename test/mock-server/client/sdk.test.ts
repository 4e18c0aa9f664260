import type { Client } from '@langchain/langgraph-sdk'
import { expect, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { sdkClients } from '../../fixtures/sdk-clients.ts'

const clients = Object.entries(sdkClients)
const input = { messages: [{ role: 'user', content: 'Hi' }] }

/** Returns the requirements that a client of the SDK does not meet, with the received values. */
async function failuresOf(
  clientClass: typeof Client,
  options: MockServerOptions,
  use: (client: Client, thread: string) => Promise<unknown>,
): Promise<object> {
  const mock = createMockServer({ journal: true, ...options })
  const server = await listen(mock, { port: 0 })
  const client = new clientClass({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 1 } })
  const { thread_id } = await client.threads.create()
  await use(client, thread_id)
  const { requirements } = await mock.clientReport()
  await server.close()
  await mock.close()
  const failed = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')
  return Object.fromEntries(failed.map(({ id, outcomes }) => [id, outcomes[0]?.failure?.received]))
}

test.each(clients)(
  'the SDK %s sends a text as stream_mode, and metadata that nobody set',
  async (_version, clientClass) => {
    const failures = await failuresOf(clientClass, {}, async (client, thread) => {
      for await (const _event of client.runs.stream(thread, 'echo', { input, streamMode: 'updates' }));
      const run = await client.runs.create(thread, 'echo', { input, multitaskStrategy: 'enqueue' })
      await client.runs.join(thread, run.run_id)
      await client.threads.getState(thread)
      await client.assistants.search({ limit: 5, offset: 0 })
      const { assistant_id } = await client.assistants.create({ graphId: 'echo' })
      await client.assistants.get(assistant_id)
    })
    expect(failures).toEqual({
      'client.run.stream_mode': '"updates"',
      'client.request.unknown-fields': expect.stringContaining('metadata'),
    })
  },
)

test.each(clients)('the SDK %s resumes a broken stream with Last-Event-ID', async (_version, clientClass) => {
  const options: MockServerOptions = {
    dialect: 'agent-server',
    faults: [{ type: 'reset', after: 2, route: 'POST /threads/{thread_id}/runs/stream' }],
  }
  const failures = await failuresOf(clientClass, options, async (client, thread) => {
    const run = { input, streamMode: ['updates' as const], streamResumable: true }
    for await (const _event of client.runs.stream(thread, 'echo', run));
  })
  expect(Object.keys(failures)).toEqual(['client.request.unknown-fields'])
})

test('the SDK does not wait as long as Retry-After says', async () => {
  const [, newest] = clients[0] ?? []
  if (newest === undefined) throw new Error('expected a version of the SDK')
  const faults = [{ type: 'rate-limit', retryAfter: 60, route: 'GET /threads/{thread_id}/state', first: 1 }] as const
  const failures = await failuresOf(newest, { faults }, (client, thread) => client.threads.getState(thread))
  expect(failures).toMatchObject({ 'client.retry.retry-after': expect.stringMatching(/^a pause of \d+ ms$/) })
})
