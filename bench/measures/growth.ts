import { Pool } from 'undici'
import { createThread, createThreadUnread, readState } from '../deeds.ts'
import { type Deed, load, repeat } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal, median, type Samples } from '../samples.ts'
import { bare, type Contender, mock } from '../servers/contender.ts'
import type { Server } from '../servers/start.ts'

/** How much longer requests take on a server that holds many threads. */
export const growth: Measure = {
  name: 'growth',
  explanation:
    'Median latency, one client, on two servers of a kind beside each other. Reading a state: one holds 1 thread, the other 100 000. Creating a thread: one holds 1 000 at first, the other 100 000. The public servers are left out: to fill them takes minutes.',
  run: async ({ quick }) => [...(await grown(bare, quick)), ...(await grown(mock, quick))],
}

/** One of two servers, and what is asked of it. */
interface Side {
  readonly name: string
  readonly server: Server
  readonly deed: Deed
}

async function grown(contender: Contender, quick: boolean): Promise<Samples[]> {
  return withServers([contender, contender], async ([small, large]) => {
    if (small === undefined || large === undefined) throw new Error(`${contender.name} was not started twice`)
    const [one, another] = [await anyThread(small), await anyThread(large)]
    await repeat(large, createThreadUnread, quick ? 3_000 : 100_000)
    const reads = await latencies(quick, [
      { name: `growth.${contender.name}.read-1`, server: small, deed: readState(one) },
      { name: `growth.${contender.name}.read-100k`, server: large, deed: readState(another) },
    ])
    await repeat(small, createThreadUnread, 1_000)
    const creations = await latencies(quick, [
      { name: `growth.${contender.name}.create-1k`, server: small, deed: createThreadUnread },
      { name: `growth.${contender.name}.create-100k`, server: large, deed: createThreadUnread },
    ])
    return [...reads, ...creations]
  })
}

/** A row for each side, the second beside the first. */
async function latencies(quick: boolean, sides: readonly [Side, Side]): Promise<Samples[]> {
  const how = { concurrency: 1, milliseconds: quick ? 50 : 300 }
  for (const { server, deed } of sides) await load(server, deed, how)
  const rounds = await interleaved(sides, quick ? 3 : 7, async ({ server, deed }) =>
    median((await load(server, deed, how)).latencies),
  )
  const [first, second] = sides.map(({ name }): Samples => ({ name, unit: 'ms', values: rounds.get(name) ?? [] }))
  if (first === undefined || second === undefined) return []
  return [first, { ...second, beside: first, goal: goal('ratio', '<=', 1.5) }]
}

function anyThread(server: Server): Promise<string> {
  return server.awake(async () => {
    const client = new Pool(server.url)
    const thread_id = await createThread(client)
    await client.close()
    return thread_id
  })
}
