import { compare } from '../compare.ts'
import { runAndJoin } from '../deeds.ts'
import { load } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, mock } from '../servers/contender.ts'

const REFERENCE = 'langgraph-js'

/** Runs created and joined a second. */
export const cycles: Measure = {
  name: 'cycles',
  explanation:
    'Cycles a second by 10 clients at once, and what each costs the server in CPU time. A cycle creates a thread, creates a run of the graph `echo` on it and joins the run.',
  run: ({ quick, peers }) =>
    withServers([bare, mock, ...peers], async (servers) => {
      const how = { concurrency: 10, milliseconds: quick ? 100 : 1000 }
      for (const server of servers) await load(server, runAndJoin, how)
      const rounds = await interleaved(servers, quick ? 3 : 5, (server) => load(server, runAndJoin, how))
      return compare(rounds, {
        name: 'cycles',
        beside: REFERENCE,
        rows: [
          { unit: 'cycles/s', value: ({ perSecond }) => perSecond, goals: { mock: goal('ratio', '>=', 100) } },
          { part: 'cpu', unit: 'µs CPU/cycle', value: ({ cpuMicros }) => cpuMicros },
        ],
      })
    }),
}
