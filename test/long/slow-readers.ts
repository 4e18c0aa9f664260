import { connect, type Socket } from 'node:net'
import { Pool } from 'undici'
import type { LongTest } from './long-test.ts'
import { ask } from './stream-client.ts'
import { megabytes, startWatched } from './usage.ts'

const READERS = 100
const BYTES = 10_000
const LIMIT = 10_000
// What a reader who never reads may cost: the event that waits for it, and what Node holds of a connection.
const BOUND_BYTES = 2 ** 20

/** What readers who never read came to. */
interface Stalled {
  /** Memory of the server that each of them took, in bytes. */
  readonly cost: number
  /** Bytes of events that each of them would have had to read. */
  readonly missed: number
  /** How many of them found the event of their end when they read at last. */
  readonly told: number
}

/** Readers who never read: each costs a bounded amount, is cut, and can see why. */
export const slowReaders: LongTest = async (print) => {
  const { cost, missed, told } = await stalled(READERS, LIMIT)
  print(`${READERS} readers of ${megabytes(missed)} who never read: ${megabytes(cost)} each, ${told} of them told so`)
  return told === READERS && cost <= BOUND_BYTES
}

/** Lets readers follow a run without reading, until twice as much has happened as they may be behind. */
export async function stalled(readers: number, limit: number): Promise<Stalled> {
  const server = await startWatched(limit)
  const pool = new Pool(server.url)
  const sockets: Socket[] = []
  try {
    const { thread_id } = await ask<{ thread_id: string }>(pool, 'POST', '/threads', {})
    // Another run is in the way until all readers are there.
    const first = { assistant_id: 'ticks', input: {}, config: { configurable: { count: 1, every_ms: 3_600_000 } } }
    const ahead = await ask<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, first)
    // What the connections themselves take in is on top of the limit.
    const count = 2 * limit + 1_000
    const config = { configurable: { count, every_ms: 0, bytes: BYTES } }
    const body = { assistant_id: 'ticks', input: {}, config, multitask_strategy: 'enqueue', stream_mode: 'custom' }
    const { run_id } = await ask<{ run_id: string }>(pool, 'POST', `/threads/${thread_id}/runs`, body)
    const before = await server.usage()
    const run = `/threads/${thread_id}/runs/${run_id}`
    for (let reader = 0; reader < readers; reader++) sockets.push(await neverReading(server.url, `${run}/stream`))
    await ask(pool, 'POST', `/threads/${thread_id}/runs/${ahead.run_id}/cancel`)
    await ask(pool, 'GET', `${run}/join`)
    const after = await server.usage()
    const ends = await Promise.all(sockets.map(lastOf))
    return {
      cost: (after.rss - before.rss) / readers,
      missed: count * BYTES,
      told: ends.filter((end) => end.includes('"error":"SlowReader"')).length,
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

/** The last that a connection holds, once it is read to its end. */
function lastOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let last = ''
    socket.setEncoding('utf8').on('data', (text) => {
      last = `${last}${text}`.slice(-1_000)
    })
    socket.on('close', () => resolve(last)).resume()
  })
}
