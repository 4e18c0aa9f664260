import { compare } from '../compare.ts'
import { type ByServer, interleaved, type Measure } from '../measure.ts'
import { goal } from '../samples.ts'
import { type BenchServer, bare, mock } from '../servers/bench-server.ts'
import { startServer } from '../servers/start.ts'

/** Time until a server has started. */
export const start: Measure = {
  name: 'start',
  explanation: 'Time from the start of the process to its first response, and the CPU time that it uses until then.',
  run: async ({ quick, thirdParty }) => {
    // Third-party servers take seconds to start, so that a few rounds suffice.
    const rounds: ByServer<Start> = new Map([
      ...(await interleaved([bare, mock], quick ? 3 : 11, startAndStop)),
      ...(await interleaved(thirdParty, quick ? 1 : 3, startAndStop)),
    ])
    return compare(rounds, {
      name: 'start',
      reference: bare.name,
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

async function startAndStop(benchServer: BenchServer): Promise<Start> {
  const server = await startServer(benchServer)
  await server.stop()
  return { seconds: server.startMs / 1000, cpuSeconds: server.startCpuMs / 1000 }
}
