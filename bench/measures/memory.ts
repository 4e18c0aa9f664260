import { compare } from '../compare.ts'
import { repeat } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { type BenchServer, bare, mock } from '../servers/bench-server.ts'
import { usageOf } from '../usage.ts'
import { createThreadUnread } from '../workloads.ts'

const THREADS = 10_000
const MEGABYTE = 1_000_000

/** Resident memory of a server. */
export const memory: Measure = {
  name: 'memory',
  explanation: `Resident memory of the server and its child processes, in millions of bytes: after its first response (idle), and after 10 clients have created ${THREADS} threads (threads-10k).`,
  run: async ({ quick, thirdParty }) => {
    const footprint = (benchServer: BenchServer) =>
      withServers([benchServer], async ([server]) => {
        if (server === undefined) throw new Error(`${benchServer.name} did not start`)
        const idle = usageOf(server.pid).residentBytes / MEGABYTE
        await repeat(server, createThreadUnread, THREADS)
        return { idle, filled: usageOf(server.pid).residentBytes / MEGABYTE }
      })
    const local = await interleaved([bare, mock], quick ? 1 : 3, footprint)
    const rounds = new Map([...local, ...(await interleaved(quick ? [] : thirdParty, 1, footprint))])
    return compare(rounds, {
      name: 'memory',
      reference: bare.name,
      rows: [
        { part: 'idle', unit: 'MB', value: ({ idle }) => idle, goals: { mock: goal('value', '<=', 90) } },
        {
          part: 'threads-10k',
          unit: 'MB',
          value: ({ filled }) => filled,
          goals: { mock: goal('value', '<=', 150) },
        },
      ],
    })
  },
}
