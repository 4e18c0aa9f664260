import type { Handler } from './handler.ts'

/** `fetch`, as clients call it. */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/**
 * The `fetch` of clients over what answers requests: once its signal is aborted, it rejects with the reason of the signal,
 * or the body fails with it, and the server sees a client that goes away. A path alone is one of `http://mock`.
 */
export function asFetch(answer: Handler): Fetch {
  return async (input, init) => {
    const request = requestOf(input, init)
    const { signal } = request
    signal.throwIfAborted()
    const { status, statusText, headers, body } = await unlessAborted(answer(request), signal)
    return new Response(body && untilAborted(body, signal), { status, statusText, headers })
  }
}

function requestOf(input: Request | URL | string, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init)
  const url = typeof input === 'string' || input instanceof URL ? URL.parse(String(input), 'http://mock') : null
  if (url === null) {
    const received = JSON.stringify(input) ?? String(input)
    throw new TypeError(
      `The mock was asked for ${received}; expected a Request, or a URL such as "http://mock/threads"`,
    )
  }
  return new Request(url, init)
}

/** What the server answers, unless the client goes away before. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(signal.reason)
      answer.then(({ body }) => body?.cancel(signal.reason)).catch(() => undefined)
    }
    signal.addEventListener('abort', leave)
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The same stream, read no sooner than it is asked for; it fails once the client goes away. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      start: (controller) => {
        const leave = (): void => {
          controller.error(signal.reason)
          reader.cancel(signal.reason).catch(() => undefined)
        }
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
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
