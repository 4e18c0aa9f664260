import type { Clock } from '../../runtime/clock.ts'
import type { Lag } from './lag.ts'

/** How an event stream is sent. */
export interface EventStreamOptions {
  readonly clock: Clock
  /** Milliseconds between heartbeat comments; undefined sends none. */
  readonly heartbeatMs: number | undefined
  readonly lineEnding: string
  /** Called once when the reader goes away, or is sent away, before the end. */
  readonly onLeave: (why: 'gone' | 'behind') => void
  /** Told when the reader waits; a reader who is too far behind gets `lastFrame` as the last one. */
  readonly lag: Lag
  readonly lastFrame: string
}

/** The bytes of an event stream, made as fast as its reader takes them: no more than one event waits for it. */
export function eventStream(frames: AsyncIterable<string>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { clock, heartbeatMs, lag, lastFrame, lineEnding, onLeave } = options
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
      void lag.exceeded.then(() => {
        if (isOver) return
        controller.enqueue(encoder.encode(lastFrame))
        controller.close()
        end()
        onLeave('behind')
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
      lag.waits(true)
      const { done, value } = await iterator.next()
      lag.waits(false)
      if (isOver) return
      if (done !== true) return controller.enqueue(encoder.encode(value))
      controller.close()
      end()
    },
    cancel: () => {
      end()
      onLeave('gone')
    },
  })
}
