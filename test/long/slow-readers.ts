import { connect, type Socket } from 'node:net'
import { Pool } from 'undici'
import type { LongTest } from './long-test.ts'
import { requestJson } from './stream-client.ts'
import { megabytes, startWatched } from './usage.ts'

const READERS = 100
const BYTES = 10_000
const LIMIT = 10_000
// Allowed memory per reader: one buffered event and the connection of Node.js.
const BOUND_BYTES = 2 ** 20

interface SlowReadersResult {
  /** Memory of the server per reader, in bytes. */
  readonly cost: number
  /** Bytes of events per reader. */
  readonly missed: number
  /** Readers that finally received the error event. */
  readonly notified: number
}

/** Connects readers that never read: each costs a bounded amount of memory and receives an error event. */
export const slowReaders: LongTest = async (print) => {
  const { cost, missed, notified } = await runSlowReaders(READERS, LIMIT)
  print(
    `${READERS} readers that never read ${megabytes(missed)}: ${megabytes(cost)} each, ${notified} received the error event`,
  )
  return notified === READERS && cost <= BOUND_BYTES
}

/** Connects readers that never read to a run with more than twice as many events as the limit. */
export async function runSlowReaders(readers: number, limit: number): Promise<SlowReadersResult> {
  const server = await startWatched(limit)
  const pool = new Pool(server.url)
  const sockets: Socket[] = []
  try {
    const { thread_id } = await requestJson<{ thread_id: string }>(pool, 'POST', '/threads', {})
    // Another run is in the way until all readers are there.
    const first = { assistant_id: 'ticks', input: {}, config: { configurable: { count: 1, every_ms: 3_600_000 } } }
    const ahead = await requestJson<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, first)
    // Connections buffer events in addition to the limit.
    const count = 2 * limit + 1_000
    const config = { configurable: { count, every_ms: 0, bytes: BYTES } }
    const body = { assistant_id: 'ticks', input: {}, config, multitask_strategy: 'enqueue', stream_mode: 'custom' }
    const { run_id } = await requestJson<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, body)
    const before = await server.usage()
    const run = `/threads/${thread_id}/runs/${run_id}`
    for (let reader = 0; reader < readers; reader++) sockets.push(await neverReading(server.url, `${run}/stream`))
    await requestJson(pool, 'POST', `/threads/${thread_id}/runs/${ahead.run_id}/cancel`)
    await requestJson(pool, 'GET', `${run}/join`)
    const after = await server.usage()
    const ends = await Promise.all(sockets.map(lastOf))
    return {
      cost: (after.rss - before.rss) / readers,
      missed: count * BYTES,
      notified: ends.filter((end) => end.includes('"error":"SlowReader"')).length,
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    await pool.destroy()
    await server.close()
  }
}

/** Opens a connection that asks for a path and reads nothing. Resolves once the request has been sent. */
async function neverReading(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  await new Promise((resolve) =>
    socket.write(`GET ${path} HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n`, resolve),
  )
  return socket
}

/** Reads a connection to its end and returns the last characters. */
function lastOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let last = ''
    socket.setEncoding('utf8').on('data', (text) => {
      last = `${last}${text}`.slice(-1_000)
    })
    socket.on('close', () => resolve(last)).resume()
  })
}
