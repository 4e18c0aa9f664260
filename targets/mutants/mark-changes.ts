import { AsyncLocalStorage } from 'node:async_hooks'
import type { Wrap } from '../wrappers/fetch.ts'

/**
 * Response header that marks what the defect changed: `response` if the server without the defect sends another response, or
 * `request` if the defect made another request of it, several, or none, so that later responses show its effect.
 */
export const changedHeader = 'x-changed-by-defect'

/** What the wrapped server was sent and returned while one request was handled. */
interface Inner {
  readonly request: string
  readonly response: string
}

/**
 * Marks the responses of a wrapped server to requests that the wrapper changed, handled by itself, or changed the response
 * of. So a test can see whether a failure shows such a response.
 */
export function markChanges(wrap: Wrap): Wrap {
  return (fetch) => {
    const calls = new AsyncLocalStorage<Promise<Inner>[]>()
    const textOf = createComparison()
    const wrapped = wrap(async (request) => {
      const sent = textOf(request)
      const response = await fetch(request)
      const received = textOf(response)
      calls
        .getStore()
        ?.push(Promise.all([sent, received]).then(([inner, text]) => ({ request: inner, response: text })))
      return response
    })
    return async (request) => {
      const sent = textOf(request)
      const inner: Promise<Inner>[] = []
      const response = await calls.run(inner, () => wrapped(request))
      const [sentText, receivedText, handled] = await Promise.all([sent, textOf(response), Promise.all(inner)])
      const [first] = handled
      const isSent = handled.length === 1 && first?.request === sentText
      if (isSent && first.response === receivedText) return response
      const headers = new Headers(response.headers)
      headers.set(changedHeader, isSent ? 'response' : 'request')
      return new Response(response.body, { status: response.status, headers })
    }
  }
}

/** Returns a function whose texts are equal for equal requests and responses. A body that is not JSON is equal to itself. */
function createComparison(): (message: Request | Response) => Promise<string> {
  const bodies = new WeakMap<object, number>()
  let count = 0
  const identify = (body: object): number => {
    const known = bodies.get(body)
    if (known !== undefined) return known
    count += 1
    bodies.set(body, count)
    return count
  }
  return async (message) => {
    const headers = [...message.headers].filter(([name]) => name !== 'content-length').sort()
    const head = message instanceof Request ? [message.method, message.url] : [message.status]
    const isText = message instanceof Request || message.headers.get('content-type')?.includes('json') === true
    const body = message.body === null ? '' : isText ? await message.clone().text() : identify(message.body)
    return JSON.stringify([head, headers, body])
  }
}
