import type { Clock } from '../../control/clock.ts'

/** How an event stream is sent. */
export interface EventStreamOptions {
  readonly clock: Clock
  /** Milliseconds between heartbeat comments; undefined sends none. */
  readonly heartbeatMs: number | undefined
  readonly lineEnding: string
  /** Called once when the reader goes away before the end. */
  readonly onLeave: () => void
  /** Resolves with the last frame for a reader who takes too little; the stream then ends there. */
  readonly cut: Promise<string>
}

/** The bytes of an event stream, made as fast as its reader takes them: no more than one event waits for it. */
export function eventStream(frames: AsyncIterable<string>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { clock, cut, heartbeatMs, lineEnding, onLeave } = options
  const encoder = new TextEncoder()
  const iterator = frames[Symbol.asyncIterator]()
  let isOver = false
  let stopHeartbeat = (): void => undefined
  const end = (): void => {
    isOver = true
    stopHeartbeat()
  }
  return new ReadableStream({
    start: (controller) => {
      void cut.then((last) => {
        if (isOver) return
        controller.enqueue(encoder.encode(last))
        controller.close()
        end()
      })
      if (heartbeatMs === undefined) return
      const heartbeat = encoder.encode(`: heartbeat${lineEnding}${lineEnding}`)
      const beat = (): void => {
        const room = controller.desiredSize
        if (room === null) return
        // A reader that has fallen behind needs no sign of life.
        if (room > 0) controller.enqueue(heartbeat)
        stopHeartbeat = clock.after(heartbeatMs, beat)
      }
      stopHeartbeat = clock.after(heartbeatMs, beat)
    },
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (isOver) return
      if (done !== true) return controller.enqueue(encoder.encode(value))
      controller.close()
      end()
    },
    cancel: () => {
      end()
      onLeave()
    },
  })
}
