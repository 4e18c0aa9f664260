import { forBrowsers } from '../../http/cors.ts'
import { connectionReset, type Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Fault, LatencyFault, RateLimitFault, ResetFault, StallFault, StatusFault } from './fault.ts'
import { halfCharacter, halfEvent, halfJson, withinCharacter } from './spoil.ts'
import { type ChangeFrames, changeEvent, changeStream, stopAfter } from './stream.ts'

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** The answers of a server that a fault befalls. */
export function befall(fault: Fault, clock: Clock, answer: Handler): Handler {
  switch (fault.type) {
    case 'latency':
      return delayed(fault, clock, answer)
    case 'status':
      return instead(fault, answer, () => statusAnswer(fault))
    case 'rate-limit':
      return instead(fault, answer, () => rateLimitAnswer(fault))
    case 'reset':
      return reset(fault, answer)
    case 'malformed-json':
      return spoiled(
        answer,
        halfJson,
        changeEvent(fault.event ?? 1, (bytes) => [halfEvent(bytes)]),
      )
    case 'broken-utf8':
      return spoiled(
        answer,
        halved,
        changeEvent(fault.event ?? 1, (bytes) => [halfCharacter(bytes)]),
      )
    case 'split-utf8':
      return spoiled(answer, split, changeEvent(fault.event ?? 1, pieces))
    case 'cut':
      return streamed(
        answer,
        stopAfter(fault.after, async () => 'end'),
      )
    case 'stall':
      return streamed(answer, stopAfter(fault.after, stalled(fault, clock)))
    case 'duplicate':
      return streamed(
        answer,
        changeEvent(fault.event ?? 1, (bytes) => [bytes, bytes]),
      )
  }
}

function delayed({ ms }: LatencyFault, clock: Clock, answer: Handler): Handler {
  return async (request, connection) => {
    await clock.sleep(ms, request.signal)
    return answer(request, connection)
  }
}

/** Answers in place of the server; pages of other origins may read that, too. */
function instead({ carriedOut }: StatusFault | RateLimitFault, answer: Handler, other: () => Response): Handler {
  return async (request, connection) => {
    if (carriedOut) await (await answer(request, connection)).body?.cancel()
    return forBrowsers(async () => other())(request)
  }
}

function statusAnswer({ status, body, headers }: StatusFault): Response {
  const content = body ?? { detail: `Status ${status}: a fault of the mock server, as its test wants it` }
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const type = typeof content === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return new Response(NO_BODY.has(status) ? null : text, { status, headers: { 'content-type': type, ...headers } })
}

function rateLimitAnswer({ retryAfter = 1 }: RateLimitFault): Response {
  return Response.json(
    { detail: 'Too many requests: a fault of the mock server, as its test wants it' },
    { status: 429, headers: { 'retry-after': String(retryAfter) } },
  )
}

function reset({ after, carriedOut }: ResetFault, answer: Handler): Handler {
  return async (request, connection) => {
    if (after === undefined) {
      if (carriedOut) await (await answer(request, connection)).body?.cancel()
      connection?.reset()
      throw connectionReset('request')
    }
    const breaksOff = stopAfter(after, async (left) => {
      if (connection === undefined) throw connectionReset('body')
      connection.breakOff()
      await aborted(left)
      return 'end'
    })
    return streamed(answer, breaksOff)(request, connection)
  }
}

function stalled({ ms }: StallFault, clock: Clock): (left: AbortSignal) => Promise<'go on' | 'end'> {
  return async (left) => {
    if (ms === undefined) await aborted(left)
    // The reader's leaving ends the waiting, too.
    else await clock.sleep(ms, left).catch(() => undefined)
    return left.aborted ? 'end' : 'go on'
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Changes event streams; any other answer stays as it is. */
function streamed(answer: Handler, change: ChangeFrames): Handler {
  return async (request, connection) => {
    const response = await answer(request, connection)
    return typeOf(response).startsWith('text/event-stream') ? changeStream(response, change) : response
  }
}

/** Changes event streams, and answers in JSON as a whole. */
function spoiled(answer: Handler, whole: (text: string) => Body, change: ChangeFrames): Handler {
  const stream = streamed(answer, change)
  return async (request, connection) => {
    const response = await stream(request, connection)
    if (!typeOf(response).includes('json') || response.body === null) return response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(whole(await response.text()), { status: response.status, headers })
  }
}

function typeOf(response: Response): string {
  return response.headers.get('content-type') ?? ''
}

function halved(text: string): Body {
  return halfCharacter(new TextEncoder().encode(text))
}

function split(text: string): Body {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces(new TextEncoder().encode(text))) controller.enqueue(piece)
      controller.close()
    },
  })
}

function pieces(bytes: Uint8Array): Uint8Array[] {
  const within = withinCharacter(bytes)
  return within < 0 ? [bytes] : [bytes.subarray(0, within), bytes.subarray(within)]
}
