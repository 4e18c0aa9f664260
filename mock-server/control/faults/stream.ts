import { type Frame, framesOf } from './frames.ts'

/** What becomes of the frames of an event stream; `left` is aborted when its reader goes away. */
export type ChangeFrames = (frames: AsyncIterable<Frame>, left: AbortSignal) => AsyncIterable<Uint8Array>

/** The same answer with its event stream changed; the server sees a stream that ends early as a reader that leaves. */
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
    // Nothing is made before it is wanted: what a fault withholds has not left.
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

/** Changes the event with this number, counted from 1, into other bytes, one chunk each. */
export function changeEvent(number: number, into: (bytes: Uint8Array) => readonly Uint8Array[]): ChangeFrames {
  return async function* (frames) {
    for await (const { bytes, event, isEvent } of frames) {
      if (isEvent && event === number) yield* into(bytes)
      else yield bytes
    }
  }
}

/** Lets so many events through and then waits for `then`; the rest follows unless it ends the stream. */
export function stopAfter(events: number, then: (left: AbortSignal) => Promise<'go on' | 'end'>): ChangeFrames {
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
