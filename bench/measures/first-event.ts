import { Pool } from 'undici'
import { compare } from '../compare.ts'
import { createThread, firstEvent } from '../deeds.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal, median } from '../samples.ts'
import { bare, mock } from '../servers/contender.ts'
import type { Server } from '../servers/start.ts'

/** The wait for the first event of a streamed run. */
export const firstEvents: Measure = {
  name: 'first-event',
  explanation: 'From the request for a streamed run to the end of its first event, one client, each time a new thread.',
  run: ({ quick, peers }) =>
    withServers([bare, mock, ...peers], async (servers) => {
      const milliseconds = quick ? 50 : 500
      for (const server of servers) await typicalWait(server, milliseconds)
      const waits = await interleaved(servers, quick ? 3 : 7, (server) => typicalWait(server, milliseconds))
      return compare(waits, {
        name: 'first-event',
        beside: bare.name,
        rows: [{ unit: 'ms', value: (wait) => wait, goals: { mock: goal('value', '<=', 3) } }],
      })
    }),
}

/** The median of as many streams as fit into the time, one at least. */
function typicalWait(server: Server, milliseconds: number): Promise<number> {
  return server.awake(() => waitOften(new Pool(server.url, { connections: 1 }), milliseconds))
}

async function waitOften(client: Pool, milliseconds: number): Promise<number> {
  const waits: number[] = []
  const started = performance.now()
  do waits.push(await firstEvent(client, await createThread(client)))
  while (performance.now() - started < milliseconds)
  await client.close()
  return median(waits)
}
