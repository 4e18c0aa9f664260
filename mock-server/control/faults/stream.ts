import { concat } from '../../http/bytes.ts'

const LF = 10
const CR = 13
const COLON = 58

/** An event or a comment of an event stream, with the empty line that ends it. */
interface Frame {
  readonly bytes: Uint8Array
  /** The number of the event, counted from 1; for a comment, that of the event before. */
  readonly event: number
  readonly isEvent: boolean
}

/** Yields the frames of an event stream as they arrive. The rest after the last empty line is the last frame. */
async function* framesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Frame> {
  let rest: Uint8Array = new Uint8Array()
  let event = 0
  const frame = (bytes: Uint8Array): Frame => {
    const isEvent = bytes[0] !== COLON
    if (isEvent) event++
    return { bytes, event, isEvent }
  }
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest = rest.length === 0 ? part.value : concat(rest, part.value)
    for (let end = endOfFrame(rest); end > 0; end = endOfFrame(rest)) {
      yield frame(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0) yield frame(rest)
}

/** Returns the length of the first frame, with its empty line; 0 if it is not complete. */
function endOfFrame(bytes: Uint8Array): number {
  for (let index = bytes.indexOf(LF); index >= 0; index = bytes.indexOf(LF, index + 1)) {
    if (bytes[index + 1] === LF) return index + 2
    if (bytes[index + 1] === CR && bytes[index + 2] === LF) return index + 3
  }
  return 0
}

/** Changes the frames of an event stream. `left` is aborted when the reader disconnects. */
export type ChangeFrames = (frames: AsyncIterable<Frame>, left: AbortSignal) => AsyncIterable<Uint8Array>

/** Returns the response with its event stream changed. If that ends early, the server sees a reader that disconnects. */
export function changeStream(response: Response, change: ChangeFrames): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const leaving = new AbortController()
  const chunks = change(framesOf(reader), leaving.signal)[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (done !== true) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        await reader.cancel()
      },
      cancel: async (reason) => {
        leaving.abort()
        await reader.cancel(reason)
      },
    },
    // Read on demand, so that the server has not sent what a fault withholds.
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

/** Replaces the event with this number, counted from 1, by other chunks. */
export function changeEvent(number: number, into: (bytes: Uint8Array) => readonly Uint8Array[]): ChangeFrames {
  return async function* (frames) {
    for await (const { bytes, event, isEvent } of frames) {
      if (isEvent && event === number) yield* into(bytes)
      else yield bytes
    }
  }
}

/** Sends a number of events and waits for `then`, which continues or ends the stream. */
export function stopAfter(events: number, then: (left: AbortSignal) => Promise<'continue' | 'end'>): ChangeFrames {
  return async function* (frames, left) {
    let stopped = false
    const stop = async (): Promise<boolean> => {
      stopped = true
      return (await then(left)) === 'end'
    }
    if (events === 0 && (await stop())) return
    for await (const { bytes, event, isEvent } of frames) {
      yield bytes
      if (!stopped && isEvent && event === events && (await stop())) return
    }
  }
}
