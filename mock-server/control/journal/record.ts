import { type Connection, isConnectionReset } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Entry, isEventStream } from './exchange.ts'

/** An exchange while it is recorded. */
export interface RecordedExchange {
  /** The request to handle: its body is recorded as the server reads it. */
  readonly request: Request
  /** The connection for the server. If the server breaks it, that is recorded. */
  readonly connection: Connection | undefined
  /** Records the response and returns the one to send. */
  respond(response: Response): Promise<Response>
  /** Records that there is no response. */
  fail(error: unknown): void
}

/** The dependencies of a recording. */
interface RecordingOptions {
  readonly entry: Entry
  readonly clock: Clock
  /** Called after each step of the exchange. */
  readonly onStep: () => void
}

/** Records an exchange in its entry, step by step. */
export function recordExchange(
  { entry, clock, onStep }: RecordingOptions,
  request: Request,
  connection: Connection | undefined,
): RecordedExchange {
  const end = (failure?: Entry['failure']): void => {
    request.signal.removeEventListener('abort', leave)
    if (entry.state === 'ended') return
    entry.state = 'ended'
    entry.endedAt = clock.now()
    entry.failure ??= failure
    onStep()
  }
  // A client that disconnects while it waits is recorded at once: its response may take long.
  const leave = (): void => end('client left')
  request.signal.addEventListener('abort', leave)

  const begin = (response: Response): void => {
    entry.status = response.status
    entry.responseHeaders = response.headers
    entry.headAt ??= clock.now()
  }
  const respondWithStream = (response: Response): Response => {
    begin(response)
    entry.state = 'answered'
    onStep()
    const body = observe(response.body, (bytes) => entry.responseBody.add(bytes, clock.now()), {
      ended: () => end(),
      failed: (error) => end(failureOf(error, request)),
      left: () => end('client left'),
    })
    return withBody(response, body)
  }
  // Reads the whole body at once: a client that wants only the status never reads it.
  const respondWhole = async (response: Response): Promise<Response> => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      entry.responseBody.add(chunk, clock.now())
    }
    begin(response)
    end()
    const [first = null] = chunks
    return withBody(response, response.body === null ? null : chunks.length > 1 ? streamOf(chunks) : (first ?? ''))
  }

  return {
    request: withRecordedBody(request, entry, clock),
    connection: connection && {
      reset: () => {
        entry.failure = 'connection reset'
        connection.reset()
      },
      breakOff: () => {
        entry.failure = 'connection reset'
        connection.breakOff()
      },
    },
    respond: async (response) => {
      if (entry.state === 'ended') return response
      return isEventStream(response.headers) ? respondWithStream(response) : respondWhole(response)
    },
    fail: (error) => end(entry.webhook === undefined ? failureOf(error, request) : deliveryFailureOf(error)),
  }
}

function withBody(
  response: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | '' | null,
): Response {
  return new Response(body, { status: response.status, headers: response.headers })
}

function withRecordedBody(request: Request, { requestBody }: Entry, clock: Clock): Request {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return request
  const body = observe(request.body, (bytes) => requestBody.add(bytes, clock.now()))
  const { url, method, headers, signal } = request
  // The platform's type lacks `duplex`.
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}

interface StreamEnd {
  ended(): void
  failed(error: unknown): void
  left(): void
}

/** Returns the same stream, read on demand; `onChunk` and `onEnd` are called as it is read. */
function observe(
  source: ReadableStream<Uint8Array> | null,
  onChunk: (bytes: Uint8Array) => void,
  onEnd?: StreamEnd,
): ReadableStream<Uint8Array> | null {
  const reader = source?.getReader()
  if (reader === undefined) {
    onEnd?.ended()
    return null
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            onChunk(value)
            return controller.enqueue(value)
          }
          onEnd?.ended()
          controller.close()
        } catch (error) {
          onEnd?.failed(error)
          controller.error(error)
        }
      },
      cancel: async (reason) => {
        onEnd?.left()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

function deliveryFailureOf(error: unknown): Entry['failure'] {
  return isConnectionReset(error) ? 'connection reset' : 'no response'
}

function failureOf(error: unknown, { signal }: Request): Entry['failure'] {
  if (isConnectionReset(error)) return 'connection reset'
  return signal.aborted ? 'client left' : 'server error'
}
