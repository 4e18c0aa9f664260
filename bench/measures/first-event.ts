import { Pool } from 'undici'
import { compare } from '../compare.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal, median } from '../samples.ts'
import { bare, mock } from '../servers/bench-server.ts'
import type { RunningServer } from '../servers/start.ts'
import { createThread, firstEvent } from '../workloads.ts'

/** Time until the first event of a streamed run. */
export const firstEvents: Measure = {
  name: 'first-event',
  explanation:
    'Time from the request of a streamed run to the end of its first event: one client, a new thread for each run.',
  run: ({ quick, thirdParty }) =>
    withServers([bare, mock, ...thirdParty], async (servers) => {
      const milliseconds = quick ? 50 : 500
      for (const server of servers) await medianWait(server, milliseconds)
      const waits = await interleaved(servers, quick ? 3 : 7, (server) => medianWait(server, milliseconds))
      return compare(waits, {
        name: 'first-event',
        reference: bare.name,
        rows: [{ unit: 'ms', value: (wait) => wait, goals: { mock: goal('value', '<=', 3) } }],
      })
    }),
}

/** The median of as many streams as fit into the time, at least one. */
function medianWait(server: RunningServer, milliseconds: number): Promise<number> {
  return server.awake(() => measureWaits(new Pool(server.url, { connections: 1 }), milliseconds))
}

async function measureWaits(client: Pool, milliseconds: number): Promise<number> {
  const waits: number[] = []
  const started = performance.now()
  do waits.push(await firstEvent(client, await createThread(client)))
  while (performance.now() - started < milliseconds)
  await client.close()
  return median(waits)
}
