import { compare } from '../compare.ts'
import { createThreadUnread } from '../deeds.ts'
import { load } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, mock } from '../servers/contender.ts'

/** Thread creations a second. */
export const threads: Measure = {
  name: 'threads',
  explanation: 'Threads created a second by 10 clients at once, and what each costs the server in CPU time.',
  run: ({ quick, peers }) =>
    withServers([bare, mock, ...peers], async (servers) => {
      const how = { concurrency: 10, milliseconds: quick ? 100 : 1000 }
      for (const server of servers) await load(server, createThreadUnread, how)
      const rounds = await interleaved(servers, quick ? 3 : 7, (server) => load(server, createThreadUnread, how))
      return compare(rounds, {
        name: 'threads',
        beside: bare.name,
        rows: [
          { unit: 'threads/s', value: ({ perSecond }) => perSecond, goals: { mock: goal('ratio', '>=', 0.7) } },
          { part: 'cpu', unit: 'µs CPU/thread', value: ({ cpuMicros }) => cpuMicros },
        ],
      })
    }),
}
