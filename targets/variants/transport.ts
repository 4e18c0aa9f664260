import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable, type Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Listening } from '../../mock-server/adapters/node.ts'
import type { Fetch } from '../wrappers/fetch.ts'

/** How a server sends responses over HTTP. */
export interface Transport {
  /** HTTP/1.0 has neither chunks nor persistent connections: a body ends with its connection. */
  readonly version: '1.0' | '1.1'
  /** Whether each connection is closed after one response. */
  readonly closes: boolean
  /** Time after which an idle connection is closed without notice, in milliseconds. */
  readonly idleMs: number
  /** Whether bodies arrive in small pieces, split between any two bytes. */
  readonly pieces: boolean
}

/** The most pieces of a part of a body. */
const mostPieces = 8

/** Serves a handler on a free port of the loopback interface. */
export async function listenOver(transport: Transport, handle: Fetch, port: number): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming
    socket.setTimeout(0)
    // Node closes a socket after its timeout.
    outgoing.once('close', () => socket.setTimeout(transport.idleMs))
    respond(transport, handle, incoming, outgoing).catch(() => socket.destroy())
  })
  // Node announces its own time.
  server.keepAliveTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  transport: Transport,
  handle: Fetch,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort()
  })
  const response = await handle(requestOf(incoming, left.signal))
  const headers = new Headers(response.headers)
  const isOld = transport.version === '1.0'
  if (isOld || transport.closes) headers.set('connection', 'close')
  const sink = isOld ? oldResponse(incoming, response.status, headers) : outgoing
  if (!isOld) outgoing.writeHead(response.status, [...headers].flat())
  if (!isOld) outgoing.flushHeaders()
  for await (const part of response.body ?? []) {
    if (left.signal.aborted) return
    for (const piece of transport.pieces ? split(part) : [part]) {
      sink.write(piece)
      if (transport.pieces) await setImmediate()
    }
  }
  sink.end()
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming
  const pairs = rawHeaders.flatMap((name, index): [string, string][] => {
    return index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []
  })
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming)
  const address = `http://${headers.host ?? '127.0.0.1'}${url}`
  return new Request(address, { method, headers: pairs, body, duplex: 'half', signal } as RequestInit)
}

/** Writes the head of an HTTP/1.0 response. Its body ends with the connection. */
function oldResponse({ socket }: IncomingMessage, status: number, headers: Headers): Writable {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.0 ${status} Status\r\n${lines.join('')}\r\n`)
  return socket
}

/** Splits bytes into pieces of at least three bytes, also within characters. */
function* split(bytes: Uint8Array): Generator<Uint8Array> {
  const size = Math.max(3, Math.ceil(bytes.length / mostPieces))
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
