import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  request as sendHttp,
} from 'node:http'
import { request as sendHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Recorder, recordedHeaders } from './recorder.ts'

/** A proxy that listens. */
export interface RecordingProxy {
  readonly url: string
  /** Stops listening and breaks all open connections. */
  close(): Promise<void>
}

/** Options of a proxy. */
export interface ProxyOptions {
  /** The server that gets the requests. May have a path. */
  readonly target: URL
  /** 0 selects a free port. */
  readonly port: number
  readonly recorder: Recorder
  /** Called if the target does not respond, with the reason. */
  readonly onFailure: (reason: string) => void
}

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and `Expect`, which the proxy has already handled. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['proxy-authenticate', 'proxy-authorization'],
])

/**
 * Passes requests to a server and records them, on the loopback interface only.
 *
 * Bodies are streamed in both directions, as fast as the slower side reads. If one side breaks its connection, the
 * proxy breaks the other. Rejects if the port is in use.
 */
export async function startProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const server = createServer((request, response) => forward(request, response, options))
  // Node closes an idle connection after 5 seconds, often just when a busy client sends its next request on it.
  server.keepAliveTimeout = 72_000
  // How long a request or a response may take is decided by the client and the server.
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  const { target, recorder, onFailure } = options
  const path = target.pathname.replace(/\/$/, '') + (request.url ?? '/')
  const exchange = recorder.begin(request.method ?? 'GET', `${target.origin}${path}`, recordedHeaders(request))
  const settings: RequestOptions = {
    host: target.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: target.port,
    method: request.method,
    path,
    // Not `close`: a server that responds before it has read the request could then reset the connection too early.
    headers: [...headersFor(request), 'Host', target.host, 'Connection', 'keep-alive'],
    // A new connection for each request: the server could close an idle one just when the next request is sent.
    agent: false,
  }
  const send = target.protocol === 'https:' ? sendHttps : sendHttp
  const outgoing = send(settings)
  request.on('data', exchange.sent)
  request.pipe(outgoing)

  outgoing.on('response', (received) => {
    exchange.head(received.statusCode ?? 0, recordedHeaders(received))
    response.sendDate = false
    response.writeHead(received.statusCode ?? 0, received.statusMessage, endToEnd(received))
    // The client waits for the headers of a stream before its first event.
    response.flushHeaders()
    received.on('data', exchange.received)
    received.pipe(response)
    received.once('end', () => {
      if (received.complete) exchange.end()
      // The server has responded before it has read the request. The client must not wait to send the rest.
      if (!outgoing.writableEnded) {
        request.unpipe(outgoing).resume()
        outgoing.destroy()
      }
    })
    received.once('error', () => {
      exchange.end('connection reset')
      // The client gets what the server has sent, then the end of the connection.
      response.socket?.destroySoon()
    })
  })
  outgoing.on('error', (error) => {
    if (response.headersSent || response.destroyed) return
    exchange.end('connection reset')
    onFailure(`${request.method} ${path}: ${error.message}`)
    request.socket.resetAndDestroy()
  })
  response.once('close', () => {
    if (response.writableFinished) return
    exchange.end('client left')
    outgoing.destroy()
  })
}

/**
 * Returns the headers for the server. They do not accept compression, because secrets cannot be removed from a compressed
 * response.
 */
function headersFor(request: IncomingMessage): string[] {
  const headers = endToEnd(request, ['host', 'accept-encoding'])
  if (request.headers['accept-encoding'] !== undefined) headers.push('Accept-Encoding', 'identity')
  // Without it, Node would send a body of DELETE without its length.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked')
  return headers
}

/** Returns the headers that a proxy forwards, except `excluded`: alternating names and values, as they were received. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, excluded: readonly string[] = []): string[] {
  const listed = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const omitted = new Set([...HOP_BY_HOP, ...listed, ...excluded])
  return rawHeaders.filter((_, index) => !omitted.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()))
}
