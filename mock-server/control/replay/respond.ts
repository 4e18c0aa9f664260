import { aborted, type Connection, connectionReset } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RecordedExchange } from '../../scripting/recording.ts'
import type { ReplayedValues } from './values.ts'

/** A recorded exchange, and what its replay depends on. */
export interface ReplayedResponse {
  readonly exchange: RecordedExchange
  readonly values: ReplayedValues
  readonly clock: Clock
  /** How many times faster than recorded; 0 sends everything at once. */
  readonly speed: number
  readonly request: Request
  readonly connection: Connection | undefined
}

/** Sends a recorded response, with the recorded delays. Where the recorded connection ended early, this one does, too. */
export async function respond(replayed: ReplayedResponse): Promise<Response> {
  const { exchange, values, clock, speed, request, connection } = replayed
  const { response, failure, tookMs } = exchange
  const start = clock.now()
  const until = async (ms: number): Promise<void> => {
    const wait = speed === 0 ? 0 : start + ms / speed - clock.now()
    if (wait > 0) await clock.sleep(wait, request.signal)
  }
  if (response === undefined) {
    await until(tookMs)
    if (failure === 'client left') await aborted(request.signal)
    connection?.reset()
    throw connectionReset('request')
  }
  const { status, afterMs, body } = response
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    values.toReplayed(value),
  ])
  if (body.length === 0 && failure === undefined) {
    await until(tookMs)
    return new Response(null, { status, headers })
  }
  await until(afterMs)
  const chunks = chunksOf(replayed, body, until)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (done !== true) controller.enqueue(encoder.encode(value))
          else controller.close()
        } catch (error) {
          controller.error(error)
        }
      },
    },
    // Read on demand, so that a slow reader does not make the server keep the rest.
    { highWaterMark: 0 },
  )
  return new Response(stream, { status, headers })
}

/** Yields the parts of a body when they are due. */
async function* chunksOf(
  { exchange: { failure, tookMs }, values, request, connection }: ReplayedResponse,
  body: readonly { readonly afterMs: number; readonly text: string }[],
  until: (ms: number) => Promise<void>,
): AsyncGenerator<string> {
  for (const { afterMs, text } of body) {
    await until(afterMs)
    yield values.toReplayed(text)
  }
  await until(tookMs)
  if (failure === undefined) return
  if (failure === 'connection reset') {
    if (connection === undefined) throw connectionReset('body')
    connection.breakOff()
  }
  await aborted(request.signal)
}
