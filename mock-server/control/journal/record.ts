import type { Connection, Handler } from '../../http/handler.ts'
import { isConnectionReset } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Entry, isEventStream } from './entry.ts'

/** What recording an exchange needs. */
export interface Recording {
  readonly entry: Entry
  readonly clock: Clock
  /** Told after each step of the exchange. */
  readonly onStep: () => void
}

/** Sends a request on to a server, and keeps what passes by. */
export async function recorded(
  { entry, clock, onStep }: Recording,
  server: Handler,
  request: Request,
  connection: Connection | undefined,
): Promise<Response> {
  // Who leaves while it waits for the answer is told of at once: what comes of its request may take long.
  const leave = (): void => end('client left')
  request.signal.addEventListener('abort', leave)
  const end = (failure?: Entry['failure']): void => {
    request.signal.removeEventListener('abort', leave)
    if (entry.state === 'ended') return
    entry.state = 'ended'
    entry.endedAt = clock.now()
    entry.failure ??= failure
    onStep()
  }
  const watched = connection && {
    reset: () => {
      entry.failure = 'connection reset'
      connection.reset()
    },
    breakOff: () => {
      entry.failure = 'connection reset'
      connection.breakOff()
    },
  }
  let response: Response
  try {
    response = await server(withCapture(request, entry, clock), watched)
  } catch (error) {
    end(failureOf(error, request))
    throw error
  }
  if (entry.state === 'ended') return response
  if (isEventStream(response.headers)) {
    entry.status = response.status
    entry.responseHeaders = response.headers
    entry.state = 'answered'
    onStep()
    const body = passing(response.body, (bytes) => entry.responseBody.add(bytes, clock.now()), {
      ended: () => end(),
      failed: (error) => end(failureOf(error, request)),
      left: () => end('client left'),
    })
    return again(response, body)
  }
  // Read as a whole at once: who asks only for the status never reads the body.
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    entry.responseBody.add(chunk, clock.now())
  }
  entry.status = response.status
  entry.responseHeaders = response.headers
  end()
  const [first = null] = chunks
  return again(response, response.body === null ? null : chunks.length > 1 ? streamOf(chunks) : (first ?? ''))
}

function again(response: Response, body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | '' | null): Response {
  return new Response(body, { status: response.status, headers: response.headers })
}

/** The request with a body that is kept as far as the server reads it. */
function withCapture(request: Request, { requestBody }: Entry, clock: Clock): Request {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return request
  const body = passing(request.body, (bytes) => requestBody.add(bytes, clock.now()))
  const { url, method, headers, signal } = request
  // The type of the platform does not know yet that a stream is sent in one direction only.
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}

interface Ending {
  ended(): void
  failed(error: unknown): void
  left(): void
}

/** The same stream, read no sooner than it is asked for. */
function passing(
  source: ReadableStream<Uint8Array> | null,
  see: (bytes: Uint8Array) => void,
  ending?: Ending,
): ReadableStream<Uint8Array> | null {
  const reader = source?.getReader()
  if (reader === undefined) {
    ending?.ended()
    return null
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            see(value)
            return controller.enqueue(value)
          }
          ending?.ended()
          controller.close()
        } catch (error) {
          ending?.failed(error)
          controller.error(error)
        }
      },
      cancel: async (reason) => {
        ending?.left()
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

function failureOf(error: unknown, { signal }: Request): Entry['failure'] {
  if (isConnectionReset(error)) return 'connection reset'
  return signal.aborted ? 'client left' : 'server error'
}
