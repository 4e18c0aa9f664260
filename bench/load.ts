import { Pool } from 'undici'
import type { RunningServer } from './servers/start.ts'
import { usageOf } from './usage.ts'

/** One unit of work of a client, from its first request to its last response. */
export type Workload = (client: Pool) => Promise<unknown>

/** The result of one round of load on one server. */
export interface Round {
  readonly perSecond: number
  /** Microseconds of the server's CPU time for each workload. */
  readonly cpuMicros: number
  /** Milliseconds of each workload. */
  readonly latencies: readonly number[]
}

/** Duration and concurrency of the load. */
export interface Load {
  readonly concurrency: number
  readonly milliseconds: number
}

/**
 * Runs a workload in a closed loop: each of several concurrent clients starts again as soon as it has finished, until
 * the time is up.
 *
 * Workloads that are running at that moment are finished and count in full, so that a server with one response per
 * second is measured as exactly as one with thousands.
 */
export function load(server: RunningServer, workload: Workload, settings: Load): Promise<Round> {
  return server.awake(() => closedLoop(server, workload, settings))
}

async function closedLoop(
  server: RunningServer,
  workload: Workload,
  { concurrency, milliseconds }: Load,
): Promise<Round> {
  const pool = new Pool(server.url, { connections: concurrency })
  const latencies: number[] = []
  const before = usageOf(server.pid)
  const started = performance.now()
  const client = async (): Promise<void> => {
    do {
      const start = performance.now()
      await workload(pool)
      latencies.push(performance.now() - start)
    } while (performance.now() - started < milliseconds)
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  const seconds = (performance.now() - started) / 1000
  const cpu = usageOf(server.pid).cpuMicros - before.cpuMicros
  await pool.close()
  return { perSecond: latencies.length / seconds, cpuMicros: cpu / latencies.length, latencies }
}

/** Runs a workload a number of times with 10 concurrent clients. */
export function repeat(server: RunningServer, workload: Workload, times: number): Promise<void> {
  return server.awake(async () => {
    const pool = new Pool(server.url, { connections: 10 })
    const remaining = Array.from({ length: times }).values()
    const client = async (): Promise<void> => {
      for (const _ of remaining) await workload(pool)
    }
    await Promise.all(Array.from({ length: 10 }, client))
    await pool.close()
  })
}
