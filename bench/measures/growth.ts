import { Pool } from 'undici'
import { load, repeat, type Workload } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal, median, type Samples } from '../samples.ts'
import { type BenchServer, bare, mock } from '../servers/bench-server.ts'
import type { RunningServer } from '../servers/start.ts'
import { createThread, createThreadUnread, readState } from '../workloads.ts'

/** Latency on a server with few threads and on one with many. */
export const growth: Measure = {
  name: 'growth',
  explanation:
    'Median latency of one client on two servers of the same kind. Reading a state: one server has 1 thread, the other 100 000. Creating a thread: one server starts with 1 000 threads, the other with 100 000. Third-party servers are left out, because filling them takes minutes.',
  run: async ({ quick }) => [...(await compareSizes(bare, quick)), ...(await compareSizes(mock, quick))],
}

/** One of two servers, with its workload. */
interface Side {
  readonly name: string
  readonly server: RunningServer
  readonly workload: Workload
}

async function compareSizes(benchServer: BenchServer, quick: boolean): Promise<Samples[]> {
  return withServers([benchServer, benchServer], async ([small, large]) => {
    if (small === undefined || large === undefined) throw new Error(`${benchServer.name} did not start twice`)
    const [smallThread, largeThread] = [await newThread(small), await newThread(large)]
    await repeat(large, createThreadUnread, quick ? 3_000 : 100_000)
    const reads = await latencies(quick, [
      { name: `growth.${benchServer.name}.read-1`, server: small, workload: readState(smallThread) },
      { name: `growth.${benchServer.name}.read-100k`, server: large, workload: readState(largeThread) },
    ])
    await repeat(small, createThreadUnread, 1_000)
    const creations = await latencies(quick, [
      { name: `growth.${benchServer.name}.create-1k`, server: small, workload: createThreadUnread },
      { name: `growth.${benchServer.name}.create-100k`, server: large, workload: createThreadUnread },
    ])
    return [...reads, ...creations]
  })
}

/** Returns a row for each side, the second compared to the first. */
async function latencies(quick: boolean, sides: readonly [Side, Side]): Promise<Samples[]> {
  const settings = { concurrency: 1, milliseconds: quick ? 50 : 300 }
  for (const { server, workload } of sides) await load(server, workload, settings)
  const rounds = await interleaved(sides, quick ? 3 : 7, async ({ server, workload }) =>
    median((await load(server, workload, settings)).latencies),
  )
  const [first, second] = sides.map(({ name }): Samples => ({ name, unit: 'ms', values: rounds.get(name) ?? [] }))
  if (first === undefined || second === undefined) return []
  return [first, { ...second, reference: first, goal: goal('ratio', '<=', 1.5) }]
}

function newThread(server: RunningServer): Promise<string> {
  return server.awake(async () => {
    const client = new Pool(server.url)
    const thread_id = await createThread(client)
    await client.close()
    return thread_id
  })
}
