import { ApiError } from '../http/errors.ts'
import { isLoopback } from '../http/loopback.ts'
import { preview } from '../runtime/preview.ts'

/** Checks whether a request may use the control plane. Rejects with an ApiError if it may not. */
export type CheckAccess = (request: Request) => Promise<void>

/** Requires a bearer token. Throws a TypeError for an empty one. */
export function requireToken(token: string): CheckAccess {
  if (token === '') throw new TypeError('Expected a token for the control plane, received an empty one')
  const isToken = bearerCheck(token)
  return async (request) => {
    if (await isToken(request)) return
    throw new ApiError('unauthorized', 'The control plane needs its bearer token', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
}

/**
 * Requires that a request was sent to a name of this machine, and not by a page of another site. For a server that listens
 * on the loopback interface only.
 *
 * A browser lets any page send requests to this machine, and a site can give its own name the address of this machine.
 */
export const requireThisMachine: CheckAccess = async ({ url, headers }) => {
  const { hostname, host, origin } = new URL(url)
  if (!isLoopback(hostname)) {
    throw new ApiError(
      'forbidden',
      `The control plane expects a request to localhost, 127.0.0.1 or [::1], received one to ${preview(host)}. Use such a URL, or start the server with --control-token.`,
    )
  }
  const sender = headers.get('origin') ?? origin
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (sender === origin && (site === 'none' || site === 'same-origin')) return
  throw new ApiError(
    'forbidden',
    `The control plane expects requests of its own page, received one of ${preview(sender === origin ? site : sender)}. Start the server with --control-token, and send the token.`,
  )
}

/**
 * Returns a test of the bearer token of a request that takes the same time for every token.
 *
 * It compares hashes, so that the time depends on neither the content nor the length of the secret.
 */
function bearerCheck(secret: string): (request: Request) => Promise<boolean> {
  const expected = digest(secret)
  return async (request) => {
    const [, token = ''] = /^Bearer (.*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const [left, right] = await Promise.all([expected, digest(token)])
    let difference = 0
    for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0)
    return difference === 0
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
