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

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The signature of `fetch`. */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/**
 * Returns a `fetch` function for a handler. A path alone is resolved against `http://mock`.
 *
 * When the signal is aborted, it rejects with the signal's reason, or the body fails with it, and the handler sees that
 * the client disconnects.
 */
export function asFetch(handle: Handler): Fetch {
  return async (input, init) => {
    const request = requestOf(input, init)
    const { signal } = request
    signal.throwIfAborted()
    const { status, statusText, headers, body } = await unlessAborted(handle(request), signal)
    return new Response(body && untilAborted(body, signal), { status, statusText, headers })
  }
}

function requestOf(input: Request | URL | string, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init)
  const url = typeof input === 'string' || input instanceof URL ? URL.parse(String(input), 'http://mock') : null
  if (url === null) {
    const received = JSON.stringify(input) ?? String(input)
    throw new TypeError(`Expected a Request, or a URL such as "http://mock/threads", received ${received}`)
  }
  return new Request(url, init)
}

/** Resolves with the response, unless the client disconnects before. */
function unlessAborted(response: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason)
      response.then(({ body }) => body?.cancel(signal.reason)).catch(() => undefined)
    }
    signal.addEventListener('abort', abort)
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns the same stream, read on demand. It fails when the client disconnects. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      start: (controller) => {
        const abort = (): void => {
          controller.error(signal.reason)
          reader.cancel(signal.reason).catch(() => undefined)
        }
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      },
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (signal.aborted) return
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
