import type { Clock } from '../../runtime/clock.ts'
import type { Deployment, DeploymentCall } from '../deployment.ts'
import { frame } from './frames.ts'
import { Lag } from './lag.ts'

/** The reader of a stream: whether it has disconnected, and how far it is behind. */
export interface Reader {
  readonly left: AbortSignal
  readonly lag: Lag
}

interface StreamResponseOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Called when the reader disconnects before the end. */
  readonly onLeave?: () => void
}

/** Responds with an event stream. A reader that is too far behind gets an `error` event as the last one. */
export function respondWithStream(
  { clock, dialect, limits }: Deployment,
  call: DeploymentCall,
  framesFor: (reader: Reader) => AsyncIterable<string>,
  { headers, onLeave }: StreamResponseOptions = {},
): Response {
  const { heartbeatMs, lineEnding, streamHeaders } = dialect
  const leaving = new AbortController()
  const { signal } = call.request
  const onAbort = (): void => onOver('gone')
  const onOver = (reason: EndReason): void => {
    // The signal may live longer than the stream, and would keep everything that this uses.
    signal.removeEventListener('abort', onAbort)
    if (reason !== 'ended') leaving.abort()
    if (reason === 'gone') onLeave?.()
  }
  signal.addEventListener('abort', onAbort)
  const lag = new Lag(limits.maxEventsBehind, leaving.signal)
  const message = `The reader is more than ${limits.maxEventsBehind} events behind; join the stream again to continue`
  const lastFrame = frame({ event: 'error', data: { error: 'SlowReader', message } }, undefined, lineEnding)
  const frames = framesFor({ left: leaving.signal, lag })
  const options = { clock, heartbeatMs, lineEnding, onOver, lag, lastFrame }
  return new Response(eventStream(frames, options), { headers: { ...streamHeaders, ...headers } })
}

/** Why a stream is over: the last event was read, the reader disconnected, or it was disconnected. */
type EndReason = 'ended' | 'gone' | 'behind'

/** Options of an event stream. */
interface EventStreamOptions {
  readonly clock: Clock
  /** Milliseconds between heartbeat comments; undefined sends none. */
  readonly heartbeatMs: number | undefined
  readonly lineEnding: string
  /** Called when the stream is over. */
  readonly onOver: (reason: EndReason) => void
  /** Measures how far the reader is behind. One that is too far behind gets `lastFrame` as the last frame. */
  readonly lag: Lag
  readonly lastFrame: string
}

/** Returns the bytes of an event stream, created as fast as its reader reads them. At most one event is buffered. */
function eventStream(frames: AsyncIterable<string>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { clock, heartbeatMs, lag, lastFrame, lineEnding, onOver } = options
  const encoder = new TextEncoder()
  const iterator = frames[Symbol.asyncIterator]()
  const heartbeat = encoder.encode(`: heartbeat${lineEnding}${lineEnding}`)
  let isOver = false
  let isPulling = false
  let hasHeartbeat = false
  let stopHeartbeat = (): void => undefined
  const end = (reason: EndReason): void => {
    isOver = true
    stopHeartbeat()
    onOver(reason)
  }
  const scheduleHeartbeat = (controller: ReadableStreamDefaultController): void => {
    if (heartbeatMs === undefined) return
    hasHeartbeat = true
    stopHeartbeat = clock.after(heartbeatMs, () => {
      const room = controller.desiredSize
      if (room === null) return
      if (room > 0) controller.enqueue(heartbeat)
      // A reader that is behind needs no heartbeat. It may never read again: a timer would keep the process running.
      if (room > 0 || isPulling) scheduleHeartbeat(controller)
      else hasHeartbeat = false
    })
  }
  return new ReadableStream({
    start: (controller) => {
      void lag.exceeded.then(() => {
        if (isOver) return
        controller.enqueue(encoder.encode(lastFrame))
        controller.close()
        end('behind')
      })
      scheduleHeartbeat(controller)
    },
    pull: async (controller) => {
      if (!hasHeartbeat) scheduleHeartbeat(controller)
      isPulling = true
      lag.waits(true)
      const { done, value } = await iterator.next()
      lag.waits(false)
      isPulling = false
      if (isOver) return
      if (done !== true) return controller.enqueue(encoder.encode(value))
      controller.close()
      end('ended')
    },
    cancel: () => end('gone'),
  })
}
