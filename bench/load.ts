import { Pool } from 'undici'
import type { Server } from './servers/start.ts'
import { usageOf } from './usage.ts'

/** One thing that a client does, from its first request to its last answer. */
export type Deed = (client: Pool) => Promise<unknown>

/** What came of a round of load on one server. */
export interface Round {
  readonly perSecond: number
  /** Microseconds of the server's CPU for each deed. */
  readonly cpuMicros: number
  /** Milliseconds that each deed took. */
  readonly latencies: readonly number[]
}

/** How long and how wide the load is. */
export interface Load {
  readonly concurrency: number
  readonly milliseconds: number
}

/**
 * A closed loop: so many clients at once, each of which begins anew as soon as it has its answer, until time is up.
 *
 * What is under way then is finished and counts, with the time that it takes: a server with one answer a second is
 * measured as exactly as one with thousands.
 */
export function load(server: Server, deed: Deed, how: Load): Promise<Round> {
  return server.awake(() => closedLoop(server, deed, how))
}

async function closedLoop(server: Server, deed: Deed, { concurrency, milliseconds }: Load): Promise<Round> {
  const pool = new Pool(server.url, { connections: concurrency })
  const latencies: number[] = []
  const before = usageOf(server.pid)
  const started = performance.now()
  const client = async (): Promise<void> => {
    do {
      const begun = performance.now()
      await deed(pool)
      latencies.push(performance.now() - begun)
    } while (performance.now() - started < milliseconds)
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  const seconds = (performance.now() - started) / 1000
  const cpu = usageOf(server.pid).cpuMicros - before.cpuMicros
  await pool.close()
  return { perSecond: latencies.length / seconds, cpuMicros: cpu / latencies.length, latencies }
}

/** Does a deed so many times with 10 clients at once. */
export function repeat(server: Server, deed: Deed, times: number): Promise<void> {
  return server.awake(async () => {
    const pool = new Pool(server.url, { connections: 10 })
    const left = Array.from({ length: times }).values()
    const client = async (): Promise<void> => {
      for (const _ of left) await deed(pool)
    }
    await Promise.all(Array.from({ length: 10 }, client))
    await pool.close()
  })
}
