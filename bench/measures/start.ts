import { compare } from '../compare.ts'
import { type ByServer, interleaved, type Measure } from '../measure.ts'
import { goal } from '../samples.ts'
import { bare, type Contender, mock } from '../servers/contender.ts'
import { startServer } from '../servers/start.ts'

/** The start of a server. */
export const start: Measure = {
  name: 'start',
  explanation: 'From the start of the process to its first answer, and the CPU time that it uses for that.',
  run: async ({ quick, peers }) => {
    const own = [bare, mock]
    // The public servers take seconds: a few rounds tell as much.
    const rounds: ByServer<Start> = new Map([
      ...(await interleaved(own, quick ? 3 : 11, startAndStop)),
      ...(await interleaved(peers, quick ? 1 : 3, startAndStop)),
    ])
    return compare(rounds, {
      name: 'start',
      beside: bare.name,
      rows: [
        { unit: 's', value: ({ seconds }) => seconds, goals: { mock: goal('value', '<=', 0.3) } },
        { part: 'cpu', unit: 's CPU', value: ({ cpuSeconds }) => cpuSeconds },
      ],
    })
  },
}

interface Start {
  readonly seconds: number
  readonly cpuSeconds: number
}

async function startAndStop(contender: Contender): Promise<Start> {
  const server = await startServer(contender)
  await server.stop()
  return { seconds: server.startMs / 1000, cpuSeconds: server.startCpuMs / 1000 }
}
