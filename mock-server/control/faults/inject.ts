import { forBrowsers } from '../../http/cors.ts'
import { aborted, connectionReset, type Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { halfCharacter, halfEvent, halfJson, withinCharacter } from './corrupt.ts'
import type { Fault, LatencyFault, RateLimitFault, ResetFault, StallFault, StatusFault } from './fault.ts'
import { type ChangeFrames, changeEvent, changeStream, stopAfter } from './stream.ts'

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** Returns a handler that injects a fault into the requests to `server`, or into its responses. */
export function inject(fault: Fault, clock: Clock, server: Handler): Handler {
  switch (fault.type) {
    case 'latency':
      return delay(fault, clock, server)
    case 'status':
      return replaceResponse(fault, server, () => statusResponse(fault))
    case 'rate-limit':
      return replaceResponse(fault, server, () => rateLimitResponse(fault))
    case 'reset':
      return reset(fault, server)
    case 'malformed-json':
      return corrupt(
        server,
        halfJson,
        changeEvent(fault.event ?? 1, (bytes) => [halfEvent(bytes)]),
      )
    case 'broken-utf8':
      return corrupt(
        server,
        (text) => halfCharacter(new TextEncoder().encode(text)),
        changeEvent(fault.event ?? 1, (bytes) => [halfCharacter(bytes)]),
      )
    case 'split-utf8':
      return corrupt(server, splitBody, changeEvent(fault.event ?? 1, splitCharacter))
    case 'cut':
      return changeStreams(
        server,
        stopAfter(fault.after, async () => 'end'),
      )
    case 'stall':
      return changeStreams(server, stopAfter(fault.after, stall(fault, clock)))
    case 'duplicate':
      return changeStreams(
        server,
        changeEvent(fault.event ?? 1, (bytes) => [bytes, bytes]),
      )
  }
}

function delay({ ms }: LatencyFault, clock: Clock, server: Handler): Handler {
  return async (request, connection) => {
    await clock.sleep(ms, request.signal)
    return server(request, connection)
  }
}

/** Responds in place of the server, with CORS headers for pages of other origins. */
function replaceResponse(
  { carriedOut }: StatusFault | RateLimitFault,
  server: Handler,
  respond: () => Response,
): Handler {
  return async (request, connection) => {
    if (carriedOut) await (await server(request, connection)).body?.cancel()
    return forBrowsers(async () => respond())(request)
  }
}

function statusResponse({ status, body, headers }: StatusFault): Response {
  const content = body ?? { detail: `Status ${status}, injected by a fault of the mock server` }
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const type = typeof content === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return new Response(NO_BODY.has(status) ? null : text, { status, headers: { 'content-type': type, ...headers } })
}

function rateLimitResponse({ retryAfter = 1 }: RateLimitFault): Response {
  return Response.json(
    { detail: 'Too many requests, injected by a fault of the mock server' },
    { status: 429, headers: { 'retry-after': String(retryAfter) } },
  )
}

function reset({ after, carriedOut }: ResetFault, server: Handler): Handler {
  return async (request, connection) => {
    if (after === undefined) {
      if (carriedOut) await (await server(request, connection)).body?.cancel()
      connection?.reset()
      throw connectionReset('request')
    }
    const resetAfter = stopAfter(after, async (left) => {
      if (connection === undefined) throw connectionReset('body')
      connection.breakOff()
      await aborted(left)
      return 'end'
    })
    return changeStreams(server, resetAfter)(request, connection)
  }
}

function stall({ ms }: StallFault, clock: Clock): (left: AbortSignal) => Promise<'continue' | 'end'> {
  return async (left) => {
    if (ms === undefined) await aborted(left)
    // A reader that disconnects ends the wait, too.
    else await clock.sleep(ms, left).catch(() => undefined)
    return left.aborted ? 'end' : 'continue'
  }
}

/** Changes event streams and leaves any other response as it is. */
function changeStreams(server: Handler, change: ChangeFrames): Handler {
  return async (request, connection) => {
    const response = await server(request, connection)
    return contentType(response).startsWith('text/event-stream') ? changeStream(response, change) : response
  }
}

/** Corrupts one event of a stream, or the whole body of a JSON response. */
function corrupt(server: Handler, corruptBody: (text: string) => Body, corruptEvent: ChangeFrames): Handler {
  const handler = changeStreams(server, corruptEvent)
  return async (request, connection) => {
    const response = await handler(request, connection)
    if (!contentType(response).includes('json') || response.body === null) return response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(corruptBody(await response.text()), { status: response.status, headers })
  }
}

function contentType(response: Response): string {
  return response.headers.get('content-type') ?? ''
}

function splitBody(text: string): Body {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of splitCharacter(new TextEncoder().encode(text))) controller.enqueue(chunk)
      controller.close()
    },
  })
}

function splitCharacter(bytes: Uint8Array): Uint8Array[] {
  const index = withinCharacter(bytes)
  return index < 0 ? [bytes] : [bytes.subarray(0, index), bytes.subarray(index)]
}
