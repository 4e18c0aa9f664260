import { compare } from '../compare.ts'
import { load } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, mock } from '../servers/bench-server.ts'
import { createThreadUnread } from '../workloads.ts'

/** Threads that are created per second. */
export const threads: Measure = {
  name: 'threads',
  explanation: 'Threads created per second by 10 concurrent clients, and the CPU time of the server for each.',
  run: ({ quick, thirdParty }) =>
    withServers([bare, mock, ...thirdParty], async (servers) => {
      const settings = { concurrency: 10, milliseconds: quick ? 100 : 1000 }
      for (const server of servers) await load(server, createThreadUnread, settings)
      const rounds = await interleaved(servers, quick ? 3 : 7, (server) => load(server, createThreadUnread, settings))
      return compare(rounds, {
        name: 'threads',
        reference: bare.name,
        rows: [
          { unit: 'threads/s', value: ({ perSecond }) => perSecond, goals: { mock: goal('ratio', '>=', 0.7) } },
          { part: 'cpu', unit: 'µs CPU/thread', value: ({ cpuMicros }) => cpuMicros },
        ],
      })
    }),
}
