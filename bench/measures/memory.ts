import { compare } from '../compare.ts'
import { createThreadUnread } from '../deeds.ts'
import { repeat } from '../load.ts'
import { interleaved, type Measure, withServers } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, type Contender, mock } from '../servers/contender.ts'
import { usageOf } from '../usage.ts'

const THREADS = 10_000
const MEGABYTE = 1_000_000

/** Resident memory. */
export const memory: Measure = {
  name: 'memory',
  explanation: `Resident memory of the server and what it starts, in millions of bytes: after its first answer (idle), and once 10 clients have created ${THREADS} threads (threads-10k).`,
  run: async ({ quick, peers }) => {
    const footprint = (contender: Contender) =>
      withServers([contender], async ([server]) => {
        if (server === undefined) throw new Error(`${contender.name} was not started`)
        const idle = usageOf(server.pid).residentBytes / MEGABYTE
        await repeat(server, createThreadUnread, THREADS)
        return { idle, filled: usageOf(server.pid).residentBytes / MEGABYTE }
      })
    const own = await interleaved([bare, mock], quick ? 1 : 3, footprint)
    const rounds = new Map([...own, ...(await interleaved(quick ? [] : peers, 1, footprint))])
    return compare(rounds, {
      name: 'memory',
      beside: bare.name,
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
