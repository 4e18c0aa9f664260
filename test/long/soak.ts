import { Pool } from 'undici'
import type { LongTest } from './long-test.ts'
import { read, readFirstChunk, requestJson } from './stream-client.ts'
import { megabytes, startWatched } from './usage.ts'

const REQUESTS = 1_000_000
const CLIENTS = 32
const SAMPLES = 20
// Allowed growth of resident memory from the first to the last quarter. A leak per request would exceed it.
const LEEWAY_BYTES = 16 * 2 ** 20
const WORDS = Array.from({ length: 20 }, (_, index) => `word-${index}`)

interface SoakResult {
  readonly requests: number
  /** Readers that read to the end, and those of them that missed an event. */
  readonly whole: number
  readonly incomplete: number
  /** Samples of resident memory after garbage collection, in bytes. */
  readonly rss: readonly number[]
  readonly heap: readonly number[]
  readonly errors: number
}

/** Sends a million requests, most of them by stream readers that disconnect: memory stays constant and no event is lost. */
export const soak: LongTest = async (print) => {
  const { requests, whole, incomplete, rss, heap, errors } = await runSoak(REQUESTS, print)
  const quarter = Math.ceil(rss.length / 4)
  const gained = Math.max(...rss.slice(-quarter)) - Math.max(...rss.slice(0, quarter))
  print(
    `${requests} requests, ${errors} errors; ${whole} readers read to the end, ${incomplete} of them missed an event`,
  )
  print(`growth of resident memory ${megabytes(gained)}; heap at the end ${megabytes(heap.at(-1) ?? 0)}`)
  return errors === 0 && incomplete === 0 && gained <= LEEWAY_BYTES
}

/** Sends requests to a new server. */
export async function runSoak(requests: number, print: (line: string) => void = () => undefined): Promise<SoakResult> {
  const server = await startWatched()
  const pool = new Pool(server.url, { connections: CLIENTS, pipelining: 1 })
  const { thread_id } = await requestJson<{ thread_id: string }>(pool, 'POST', '/threads', {})
  const endless = { assistant_id: 'ticks', input: {}, config: { configurable: { count: 1e9, every_ms: 1000 } } }
  const { run_id } = await requestJson<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, endless)
  const chat = { assistant_id: 'chat', input: { messages: [{ role: 'user', content: WORDS.join(' ') }] } }
  const streamed = { ...chat, stream_mode: 'messages-tuple' }
  const counts = { sent: 0, whole: 0, incomplete: 0, errors: 0 }

  /** Sends ten requests and deletes the threads that they create. */
  const round = async (): Promise<void> => {
    for (let leaver = 0; leaver < 4; leaver++) await readFirstChunk(pool, 'POST', '/runs/stream', streamed)
    for (let leaver = 0; leaver < 2; leaver++) {
      await readFirstChunk(pool, 'GET', `/threads/${thread_id}/runs/${run_id}/stream?stream_mode=custom`)
    }
    const pieces = await read(pool, 'POST', '/runs/stream', 'messages', streamed)
    counts.whole += 1
    if (textOf(pieces) !== `chat: ${WORDS.join(' ')}`) counts.incomplete += 1
    const own = await requestJson<{ thread_id: string }>(pool, 'POST', '/threads', {})
    await requestJson(pool, 'GET', `/threads/${own.thread_id}/state`)
    await requestJson(pool, 'DELETE', `/threads/${own.thread_id}`)
    counts.sent += 10
  }
  const client = async (until: number): Promise<void> => {
    while (counts.sent < until) await round().catch((error: unknown) => fail(error))
  }
  const fail = (error: unknown): void => {
    counts.errors += 1
    counts.sent += 10
    print(error instanceof Error ? error.message : String(error))
  }

  const rss: number[] = []
  const heap: number[] = []
  try {
    for (let sample = 0; sample <= SAMPLES; sample++) {
      // The requests before the first sample warm up the server.
      const until = (requests * sample) / SAMPLES
      await Promise.all(Array.from({ length: CLIENTS }, () => client(until)))
      const usage = await server.usage()
      if (sample > 0) rss.push(usage.rss)
      heap.push(usage.heapUsed)
      counts.errors += usage.errors
      print(`${counts.sent} requests: resident ${megabytes(usage.rss)}, heap ${megabytes(usage.heapUsed)}`)
    }
  } finally {
    await pool.destroy()
    await server.close()
  }
  return { requests: counts.sent, ...counts, rss, heap }
}

/** Joins the pieces of a message. */
function textOf(pieces: readonly unknown[]): string {
  return (pieces as [{ content: string }, unknown][]).map(([{ content }]) => content).join('')
}
