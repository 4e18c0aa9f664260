import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'
import type { LongTest } from './long-test.ts'
import { ask, read } from './stream-client.ts'
import { megabytes, startWatched } from './usage.ts'

const READERS = 1_000
const EVENTS = 500
const POLL_MS = 20

/** How many of the readers of one run got every event, in order. */
interface FannedOut {
  readonly readers: number
  readonly complete: number
  /** Memory that the readers took together, in bytes. */
  readonly gained: number
}

/** A thousand readers on one run: each gets every event. */
export const fanOut: LongTest = async (print) => {
  const { readers, complete, gained } = await fannedOut(READERS, EVENTS)
  print(`${readers} readers of ${EVENTS} events: ${complete} got all, in order; ${megabytes(gained)} for all of them`)
  return complete === readers
}

/** Lets so many readers join one run before it starts, and read to its end. */
export async function fannedOut(readers: number, events: number): Promise<FannedOut> {
  const server = await startWatched()
  const pool = new Pool(server.url, { connections: readers + 1, pipelining: 1 })
  try {
    const before = await server.usage()
    const { thread_id } = await ask<{ thread_id: string }>(pool, 'POST', '/threads', {})
    // Another run is in the way until all readers are there.
    const first = { assistant_id: 'ticks', input: {}, config: { configurable: { count: 1, every_ms: 3_600_000 } } }
    const ahead = await ask<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, first)
    const config = { configurable: { count: events, every_ms: 2 } }
    const second = { assistant_id: 'ticks', input: {}, config, multitask_strategy: 'enqueue', stream_mode: 'custom' }
    const { run_id } = await ask<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, second)

    const path = `/threads/${thread_id}/runs/${run_id}/stream`
    const reading = Array.from({ length: readers }, () => read(pool, 'GET', path, 'custom'))
    while (pool.stats.running < readers) await setTimeout(POLL_MS)
    const { rss } = await server.usage()
    await ask(pool, 'POST', `/threads/${thread_id}/runs/${ahead.run_id}/cancel`)
    const expected = JSON.stringify(Array.from({ length: events }, (_, tick) => ({ tick })))
    const complete = (await Promise.all(reading)).filter((got) => JSON.stringify(got) === expected)
    return { readers, complete: complete.length, gained: rss - before.rss }
  } finally {
    await pool.destroy()
    await server.close()
  }
}
