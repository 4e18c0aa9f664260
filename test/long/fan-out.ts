import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'
import type { LongTest } from './long-test.ts'
import { read, requestJson } from './stream-client.ts'
import { megabytes, startWatched } from './usage.ts'

const READERS = 1_000
const SUBSCRIBERS = 200
const EVENTS = 500
const RUNS = 5
const POLL_MS = 20
// Allowed growth of memory after the first run. Events that are kept for each subscriber would exceed it.
const LEEWAY_BYTES = 16 * 2 ** 20

/** The readers, and how many received every event in order. */
interface FanOutResult {
  readonly readers: number
  readonly complete: number
  /** The growth of the server's memory, in bytes: with all readers, or after the first of several runs. */
  readonly gained: number
}

/** Connects a thousand readers to one run, and 200 subscribers to one thread: each receives every event. */
export const fanOut: LongTest = async (print) => {
  const { readers, complete, gained } = await runFanOut(READERS, EVENTS)
  print(
    `${readers} readers of ${EVENTS} events: ${complete} received all in order; ${megabytes(gained)} of memory in total`,
  )
  const subscribed = await runSubscribers(SUBSCRIBERS, EVENTS, RUNS)
  print(
    `${SUBSCRIBERS} subscribers of a thread with ${RUNS} runs of ${EVENTS} events: ${subscribed.complete} received all in order; ${megabytes(subscribed.gained)} of memory after the first run`,
  )
  return complete === readers && subscribed.complete === SUBSCRIBERS && subscribed.gained <= LEEWAY_BYTES
}

/** Connects readers to a queued run and lets them read it to its end. */
export async function runFanOut(readers: number, events: number): Promise<FanOutResult> {
  const server = await startWatched()
  const pool = new Pool(server.url, { connections: readers + 1, pipelining: 1 })
  try {
    const before = await server.usage()
    const { thread_id } = await requestJson<{ thread_id: string }>(pool, 'POST', '/threads', {})
    // An earlier run blocks the thread until all readers are connected.
    const first = { assistant_id: 'ticks', input: {}, config: { configurable: { count: 1, every_ms: 3_600_000 } } }
    const ahead = await requestJson<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, first)
    const config = { configurable: { count: events, every_ms: 2 } }
    const second = { assistant_id: 'ticks', input: {}, config, multitask_strategy: 'enqueue', stream_mode: 'custom' }
    const { run_id } = await requestJson<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, second)

    const path = `/threads/${thread_id}/runs/${run_id}/stream`
    const reading = Array.from({ length: readers }, () => read(pool, 'GET', path, 'custom'))
    while (pool.stats.running < readers) await setTimeout(POLL_MS)
    const { rss } = await server.usage()
    await requestJson(pool, 'POST', `/threads/${thread_id}/runs/${ahead.run_id}/cancel`)
    const expected = JSON.stringify(Array.from({ length: events }, (_, tick) => ({ tick })))
    const complete = (await Promise.all(reading)).filter((events) => JSON.stringify(events) === expected)
    return { readers, complete: complete.length, gained: rss - before.rss }
  } finally {
    await pool.destroy()
    await server.close()
  }
}

/** Subscribes readers to the event stream of one thread while it executes runs, with the second stream protocol. */
export async function runSubscribers(readers: number, events: number, runs: number): Promise<FanOutResult> {
  const server = await startWatched()
  const pool = new Pool(server.url, { connections: readers + 1, pipelining: 1 })
  try {
    const { thread_id } = await requestJson<{ thread_id: string }>(pool, 'POST', '/threads', {})
    const path = `/threads/${thread_id}/stream/events`
    const reading = Array.from({ length: readers }, () =>
      read(pool, 'POST', path, 'custom', { channels: ['custom'] }, runs * events),
    )
    while (pool.stats.running < readers) await setTimeout(POLL_MS)
    const body = { assistant_id: 'ticks', input: {}, config: { configurable: { count: events, every_ms: 2 } } }
    const memory: number[] = []
    for (let run = 0; run < runs; run++) {
      await requestJson(pool, 'POST', `/threads/${thread_id}/runs/wait`, { ...body, stream_mode: 'custom' })
      memory.push((await server.usage()).rss)
    }
    const ticks = Array.from({ length: runs * events }, (_, index) => index % events)
    const complete = (await Promise.all(reading)).filter((received) => {
      const payloads = (received as { params: { data: { payload: { tick: number } } } }[]).map(({ params }) => params)
      return JSON.stringify(payloads.map(({ data }) => data.payload.tick)) === JSON.stringify(ticks)
    })
    return { readers, complete: complete.length, gained: (memory.at(-1) ?? 0) - (memory[0] ?? 0) }
  } finally {
    await pool.destroy()
    await server.close()
  }
}
