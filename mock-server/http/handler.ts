/** What carries requests and answers. A door that has one hands it to the server, so that a fault can break it. */
export interface Connection {
  /** Breaks it off at once. */
  reset(): void
  /** Breaks it off once everything that was sent has left. */
  breakOff(): void
}

/** Handles a request. `connection` is undefined for a request that was made in process. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>

/** What `fetch` says of a connection that was reset: before an answer, or within its body. */
export function connectionReset(within: 'request' | 'body'): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  return new TypeError(within === 'request' ? 'fetch failed' : 'terminated', { cause })
}

/** Whether an answer failed because a fault reset its connection. */
export function isConnectionReset(error: unknown): error is TypeError {
  const cause = error instanceof TypeError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
}
