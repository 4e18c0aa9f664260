import { compare } from '../compare.ts'
import { load } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, mock } from '../servers/bench-server.ts'
import { runAndJoin } from '../workloads.ts'

/** Runs that are created and joined per second. */
export const cycles: Measure = {
  name: 'cycles',
  explanation:
    'Cycles per second by 10 concurrent clients, and the CPU time of the server for each. A cycle creates a thread, creates a run of the graph `echo` on it and joins the run.',
  run: ({ quick, thirdParty }) =>
    withServers([bare, mock, ...thirdParty], async (servers) => {
      const settings = { concurrency: 10, milliseconds: quick ? 100 : 1000 }
      for (const server of servers) await load(server, runAndJoin, settings)
      const rounds = await interleaved(servers, quick ? 3 : 5, (server) => load(server, runAndJoin, settings))
      return compare(rounds, {
        name: 'cycles',
        reference: 'langgraph-js',
        rows: [
          { unit: 'cycles/s', value: ({ perSecond }) => perSecond, goals: { mock: goal('ratio', '>=', 100) } },
          { part: 'cpu', unit: 'µs CPU/cycle', value: ({ cpuMicros }) => cpuMicros },
        ],
      })
    }),
}
