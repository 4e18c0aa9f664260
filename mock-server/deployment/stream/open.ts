import type { Deployment, DeploymentCall } from '../deployment.ts'
import { eventStream } from './event-stream.ts'
import { frame } from './frames.ts'
import { Lag } from './lag.ts'

/** The reader of a stream: whether it has disconnected, and how far it is behind. */
export interface Reader {
  readonly left: AbortSignal
  readonly lag: Lag
}

interface AnswerOptions {
  readonly headers: Readonly<Record<string, string>>
  /** Called when the reader disconnects before the end. */
  readonly onLeave: () => void
}

/** Responds with an event stream. A reader that is too far behind gets an `error` event as the last one. */
export function answerWithStream(
  { clock, dialect, limits }: Deployment,
  call: DeploymentCall,
  framesFor: (reader: Reader) => AsyncIterable<string>,
  { headers, onLeave }: AnswerOptions,
): Response {
  const { heartbeatMs, lineEnding, streamHeaders } = dialect
  const leaving = new AbortController()
  const leave = (why: 'gone' | 'behind'): void => {
    leaving.abort()
    if (why === 'gone') onLeave()
  }
  call.request.signal.addEventListener('abort', () => leave('gone'), { once: true })
  const lag = new Lag(limits.maxEventsBehind, leaving.signal)
  const message = `The reader is more than ${limits.maxEventsBehind} events behind; join the stream again to read on`
  const lastFrame = frame({ event: 'error', data: { error: 'SlowReader', message } }, undefined, lineEnding)
  const frames = framesFor({ left: leaving.signal, lag })
  const options = { clock, heartbeatMs, lineEnding, onLeave: leave, lag, lastFrame }
  return new Response(eventStream(frames, options), { headers: { ...streamHeaders, ...headers } })
}
