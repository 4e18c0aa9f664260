import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { request } from 'undici'
import { listen } from '../../mock-server/adapters/node.ts'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { createMockServer } from '../../mock-server/index.ts'

// Usage: node many-mocks.ts N. Makes N mocks one after the other, each with a stream that is read to its end and a run
// that is left in flight, and prints as JSON what that left behind: bytes of heap a mock, and what keeps the process up.

const url = 'http://agent.test'
const headers = { 'content-type': 'application/json' }
const WARM_UP = 300

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A mock as a test uses it: through a door, by its port every tenth time; every third test forgets to close it. */
async function live(round: number): Promise<void> {
  const mock = createMockServer({ journal: true })
  const server = round % 10 === 0 ? await listen(mock, { port: 0 }) : undefined
  const door = server === undefined ? { dispatcher: dispatcher(mock, { url }) } : { reset: true }
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await request((server?.url ?? url) + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...door,
    })
    return answer.body.text()
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
  // Runs that were forgotten end by themselves.
  while (process.getActiveResourcesInfo().includes('Timeout')) await setImmediate()
  collect()
  return process.memoryUsage().heapUsed
}

async function liveOften(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) await live(round)
}

const count = Number(process.argv[2])
await liveOften(WARM_UP)
const before = { heap: await heap(), resources: process.getActiveResourcesInfo().length }
await liveOften(count)
const after = { heap: await heap(), resources: process.getActiveResourcesInfo().length }
process.stdout.write(
  JSON.stringify({
    bytesPerMock: Math.round((after.heap - before.heap) / count),
    resources: after.resources - before.resources,
  }),
)
