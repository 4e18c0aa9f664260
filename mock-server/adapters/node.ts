import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Controllable } from '../control/control-plane.ts'
import { type Connection, isConnectionReset } from '../http/handler.ts'
import { isLoopback } from '../http/loopback.ts'
import type { RequestHandler } from './service.ts'

export type { RequestHandler } from './service.ts'

export interface ListenOptions {
  /** 0 selects a free port. */
  readonly port: number
  /** @default '127.0.0.1' */
  readonly host?: string | undefined
  /**
   * Replaces `Request` and `Response` of this process with faster ones, which saves a third of the CPU time of a request.
   * Use it in a process that only serves the mock.
   * @default false
   */
  readonly replaceGlobals?: boolean | undefined
  /**
   * Serves the live page at `/__touchstone/`, and the control plane that it uses. The mock needs the option `journal`.
   *
   * With a `token`, each request to the control plane needs it. Without one, the server must listen on the loopback
   * interface, and only pages and programs of this machine can use the control plane.
   * @default false
   */
  readonly ui?: boolean | { readonly token: string } | undefined
  /**
   * Called with every error that the mock throws. The client gets status 500.
   * @default none
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A server that listens. */
export interface Listening {
  /** For example `http://127.0.0.1:8123`. */
  readonly url: string
  /** Stops listening, ends all open connections and streams, and resolves when that is done. */
  close(): Promise<void>
}

/**
 * Serves a mock on a port, by default on the loopback interface only.
 *
 * Rejects if the port or the host is not available, and with a TypeError if `ui` is not possible.
 *
 * @example const server = await listen(createMockServer(), { port: 0 })
 */
export async function listen(mock: RequestHandler, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  const { handle } = options.ui ? await withPage(mock, host, options.ui) : mock
  const server = createAdaptorServer({
    fetch: (request, { incoming, outgoing }) =>
      handle(request, connectionOf(incoming.socket, outgoing)).catch((error: unknown) => {
        if (isConnectionReset(error) && incoming.socket.destroyed) return RESPONSE_ALREADY_SENT
        // The client has disconnected.
        if (!request.signal.aborted) options.onError?.(error)
        return new Response(null, { status: 500 })
      }),
    overrideGlobalObjects: options.replaceGlobals ?? false,
  })
  // Node closes an idle connection after 5 seconds, often just when a busy client sends its next request on it.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 72_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, options.port)))
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** Adds the live page and its control plane. Throws a TypeError if others could use them, or if there is no journal. */
async function withPage(
  mock: RequestHandler,
  host: string,
  ui: true | { readonly token: string },
): Promise<RequestHandler> {
  if (!isControllable(mock) || !mock.journal.isOn) {
    throw new TypeError('ui: expected a mock server with the option journal, received one without')
  }
  if (ui === true && !isLoopback(host)) {
    throw new TypeError(
      `ui: expected { token } for the host ${host}, where others could control the server, received true`,
    )
  }
  // Loaded on demand: few tests need it.
  const { withControlPlane } = await import('../control/control-plane.ts')
  return withControlPlane(mock, { ui: true, token: ui === true ? undefined : ui.token })
}

function isControllable(mock: RequestHandler): mock is Controllable {
  return 'journal' in mock && 'inspect' in mock
}

function connectionOf(socket: Socket, outgoing: (HttpBindings | Http2Bindings)['outgoing']): Connection {
  return {
    reset: () => socket.resetAndDestroy(),
    breakOff: () => {
      // The headers of the response may not be sent yet.
      if (outgoing.headersSent || outgoing.destroyed) socket.destroySoon()
      else setImmediate(() => connectionOf(socket, outgoing).breakOff())
    },
  }
}

function explain(error: Error, host: string, port: number): Error {
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is in use; stop the other server, or choose another port (0 selects a free port)`,
      )
    case 'EACCES':
      return new Error(`Port ${port} on ${host} requires root privileges; choose a port above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all interfaces`)
    default:
      return error
  }
}
