import { AsyncLocalStorage } from 'node:async_hooks'
import type { Wrap } from '../wrappers/fetch.ts'

/**
 * Response header that marks what the defect changed: `response` if the server without the defect sends another response, or
 * `request` if the defect made another request of it, several, or none, so that later responses show its effect.
 */
export const changedHeader = 'x-changed-by-defect'

/** A request or response with its text before a wrapper could change it. */
interface Original {
  readonly message: Request | Response
  readonly head: string
  /** The text of the body; undefined: a body that is not JSON. */
  readonly text: () => Promise<string | undefined>
}

/** What the wrapped server was sent and returned while one request was handled. */
interface Inner {
  readonly request: Original
  readonly response: Original
}

/**
 * Marks the responses of a wrapped server to requests that the wrapper changed, handled by itself, or changed the response
 * of. So a test can see whether a failure shows such a response.
 */
export function markChanges(wrap: Wrap): Wrap {
  return (fetch) => {
    const calls = new AsyncLocalStorage<{ readonly sent: Original; readonly inner: Inner[] }>()
    const wrapped = wrap(async (request) => {
      const call = calls.getStore()
      const sent = request === call?.sent.message ? { ...call.sent, head: headOf(request) } : sentOf(request)
      const { response, original } = await readable(await fetch(request))
      call?.inner.push({ request: sent, response: original })
      return response
    })
    return async (request) => {
      const sent = sentOf(request)
      const inner: Inner[] = []
      const response = await calls.run({ sent, inner }, () => wrapped(request))
      const [first] = inner
      const isSent = first !== undefined && inner.length === 1 && (await isSame(sent, first.request))
      if (isSent && (await isSame(first.response, returned(response)))) return response
      const headers = new Headers(response.headers)
      headers.set(changedHeader, isSent ? 'response' : 'request')
      return new Response(response.body, { status: response.status, headers })
    }
  }
}

/** Returns the original of a request, which can still be read. */
function sentOf(request: Request): Original {
  const copy = request.body === null ? request : request.clone()
  return { message: request, head: headOf(request), text: () => copy.text() }
}

/** Returns a response that the wrapper returned. */
function returned(response: Response): Original {
  const text = async () => (isJson(response) ? response.clone().text() : undefined)
  return { message: response, head: headOf(response), text }
}

/** Returns a response and its original, whose text has been read: a copy of each response would take longer. */
async function readable(response: Response): Promise<{ response: Response; original: Original }> {
  if (response.body === null || !isJson(response)) return { response, original: returned(response) }
  const text = await response.text()
  const same = new Response(text, { status: response.status, headers: response.headers })
  return { response: same, original: { message: same, head: headOf(same), text: async () => text } }
}

function headOf(message: Request | Response): string {
  const headers = [...message.headers].filter(([name]) => name !== 'content-length').sort()
  return JSON.stringify([message instanceof Request ? [message.method, message.url] : message.status, headers])
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}

/** Returns whether two messages are equal. A body that is not JSON is equal to itself. */
async function isSame(one: Original, other: Original): Promise<boolean> {
  if (one.head !== other.head) return false
  if (one.message === other.message || one.message.body === other.message.body) return true
  const [text, otherText] = await Promise.all([one.text(), other.text()])
  return text !== undefined && text === otherText
}
