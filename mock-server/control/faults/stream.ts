import { type Frame, framesOf } from './frames.ts'

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
