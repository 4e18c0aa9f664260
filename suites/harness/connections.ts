import { Agent, type Dispatcher } from 'undici'

/** Time after which an idle connection is closed, in milliseconds: longer than the pause between two polls. */
const idleMs = 300

/** Codes of the errors of connections that the other side closed. */
const closedCodes: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/**
 * Creates the connections to an endpoint. A server, or a load balancer before it, may close an idle connection without notice.
 * A request that is sent at that moment is lost, and only a GET can be repeated: a POST may have been processed (RFC 9110,
 * 9.2.2). So connections are idle for a short time only, and not reused any more after the other side has closed one.
 */
export function createConnections(): Dispatcher {
  // Each waiting scenario has its own connection, so that a slow response does not delay another scenario. With HTTP/2 they
  // would share one, whose end loses all requests that are open.
  const agent = new Agent({ allowH2: false, connections: null, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs })
  let reset = false
  agent.on('disconnect', (_origin, _targets, error: { readonly code?: unknown }) => {
    reset ||= closedCodes.includes(error.code)
  })
  return agent.compose((dispatch) => (options, handler) => dispatch(reset ? { ...options, reset } : options, handler))
}
