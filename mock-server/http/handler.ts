/** The connection of a client. An integration that has one passes it to the server, so that a fault can break it. */
export interface Connection {
  /** Resets the connection at once. */
  reset(): void
  /** Closes the connection after all data has been sent. */
  breakOff(): void
}

/** Handles a request. `connection` is undefined for a request that was made in process. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>

/** Returns the error of `fetch` for a connection that is reset before the response or in its body. */
export function connectionReset(within: 'request' | 'body'): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  return new TypeError(within === 'request' ? 'fetch failed' : 'terminated', { cause })
}

/** Whether an error is that of a connection reset. */
export function isConnectionReset(error: unknown): error is TypeError {
  const cause = error instanceof TypeError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
}
