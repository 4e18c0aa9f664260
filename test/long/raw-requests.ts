import { connect } from 'node:net'
import fc from 'fast-check'

/** Pieces of bytes that are written to a connection before its writing side is closed. */
export interface RawRequest {
  readonly pieces: readonly string[]
  /** Whether the connection is destroyed instead, without reading a response. */
  readonly breaksOff: boolean
}

const HEAD = 'POST /threads HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\n'

/** Requests that no client library sends: invalid lines and lengths, truncated chunks, slow senders. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc
  .tuple(whole(), fc.array(fc.nat(2_000), { maxLength: 6 }), fc.boolean())
  .map(([text, cuts, breaksOff]) => ({ pieces: cutAt(text, cuts), breaksOff }))

function whole(): fc.Arbitrary<string> {
  const junk = fc.string({ unit: 'binary', maxLength: 60 })
  const body = fc.constantFrom('{}', '{"metadata":{"a":1}}', '{"metadata":', '[]', '')
  const length = fc.oneof(
    fc.integer({ min: -5, max: 100 }).map(String),
    fc.constantFrom('x', '1e9', '99999999999', '3, 4'),
  )
  const sized = fc.tuple(length, body).map(([size, text]) => `${HEAD}content-length: ${size}\r\n\r\n${text}`)
  const chunk = fc.tuple(fc.oneof(fc.constantFrom('2', '0', 'ffffffff', '-1', 'zz', '2;ext'), junk), body)
  const chunked = fc
    .array(chunk, { maxLength: 4 })
    .map((chunks) => chunks.map(([size, text]) => `${size}\r\n${text}\r\n`).join(''))
    .map((chunks) => `${HEAD}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  const both = body.map(
    (text) => `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n${text}\r\n0\r\n\r\n`,
  )
  const line = fc.tuple(
    fc.oneof(fc.constantFrom('GET', 'TRACE', 'CONNECT', 'PURGE', 'get'), junk),
    fc.oneof(fc.constantFrom('/threads', '*', 'http://a/threads', '//', '/%', '/threads/../../x'), junk),
  )
  const lines = line.map(([method, target]) => `${method} ${target} HTTP/1.1\r\nhost: mock\r\n\r\n`)
  const header = fc
    .tuple(junk, junk)
    .map(([name, value]) => `GET /ok HTTP/1.1\r\nhost: mock\r\n${name}: ${value}\r\n\r\n`)
  const large = fc.constant(`GET /ok HTTP/1.1\r\nhost: mock\r\nx-large: ${'a'.repeat(70_000)}\r\n\r\n`)
  const hosts = fc.constantFrom('', 'host: \r\n', 'host: a b\r\n', 'host: [::\r\n', 'host: a\r\nhost: b\r\n')
  const host = hosts.map((headers) => `GET /ok HTTP/1.1\r\n${headers}\r\n`)
  return fc.oneof(sized, chunked, both, lines, header, host, junk, { weight: 1, arbitrary: large })
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return places.slice(1).map((place, index) => text.slice(places[index], place))
}

/** The responses on a connection. */
interface RawResponse {
  readonly statuses: readonly number[]
  /** Whether the connection timed out. */
  readonly isLate: boolean
}

/** Sends a raw request and waits for the end of the connection, or for `budgetMs` without data. */
export function sendRaw(url: string, { pieces, breaksOff }: RawRequest, budgetMs: number): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let received = ''
    let isLate = false
    const socket = connect(Number(port), hostname, async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece, 'latin1')
        // The server sees each piece by itself.
        await new Promise((turn) => setImmediate(turn))
      }
      if (breaksOff) socket.destroy()
      else socket.end()
    })
    socket.setTimeout(budgetMs, () => {
      isLate = true
      socket.destroy()
    })
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      resolve({ statuses, isLate })
    })
  })
}
