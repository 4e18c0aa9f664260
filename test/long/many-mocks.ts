import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { request } from 'undici'
import { listen } from '../../mock-server/adapters/node.ts'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { createMockServer } from '../../mock-server/index.ts'

// Usage: node many-mocks.ts N. Creates N mock servers in sequence, each with a completed stream and an active run, and
// prints the leaks as JSON: bytes of heap per server, and handles that keep the process alive.

const url = 'http://agent.test'
const headers = { 'content-type': 'application/json' }
const WARM_UP = 300

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Uses a mock server like a test: every tenth one on a port, every third one without closing it. */
async function useMock(round: number): Promise<void> {
  const mock = createMockServer({ journal: true })
  const server = round % 10 === 0 ? await listen(mock, { port: 0 }) : undefined
  const options = server === undefined ? { dispatcher: dispatcher(mock, { url }) } : { reset: true }
  const post = async (path: string, body: object): Promise<string> => {
    const response = await request((server?.url ?? url) + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...options,
    })
    return response.body.text()
  }
  const { thread_id }: { thread_id: string } = JSON.parse(await post('/threads', {}))
  const events = await post(`/threads/${thread_id}/runs/stream`, { assistant_id: 'echo', input: {} })
  if (!events.includes('metadata')) throw new Error(`no stream: ${events}`)
  await post(`/threads/${thread_id}/runs`, {
    assistant_id: 'slow',
    input: {},
    config: { configurable: { delay_ms: 50 } },
  })
  await server?.close()
  if (round % 3 !== 0) await mock.close()
}

async function heap(): Promise<number> {
  // Waits for the end of runs on servers that were not closed.
  while (process.getActiveResourcesInfo().includes('Timeout')) await setImmediate()
  collect()
  return process.memoryUsage().heapUsed
}

async function useMocks(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) await useMock(round)
}

const count = Number(process.argv[2])
await useMocks(WARM_UP)
const before = { heap: await heap(), resources: process.getActiveResourcesInfo().length }
await useMocks(count)
const after = { heap: await heap(), resources: process.getActiveResourcesInfo().length }
process.stdout.write(
  JSON.stringify({
    bytesPerMock: Math.round((after.heap - before.heap) / count),
    resources: after.resources - before.resources,
  }),
)
