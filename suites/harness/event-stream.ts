import type { StreamEvent } from '../../reporters/model/report.ts'
import { isUuid } from '../catalog/facts.ts'
import { at, show } from '../values/json.ts'
import { dataOf } from '../values/stream-data.ts'
import { createStreamEvents } from '../values/stream-events.ts'
import { reasonOf, Stopped } from './errors.ts'

/** Event stream that is being read. */
export interface EventStream {
  /** Id of the exchange in the trace. */
  readonly exchange?: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Events with their times of arrival, in order. Grows until the stream has ended. */
  readonly events: readonly StreamEvent[]
  /** Returns the text that has arrived. */
  readonly raw: () => string
  /** Resolves with the first event that passes a test; undefined if the stream ends without one. */
  find(test: (event: StreamEvent) => boolean): Promise<StreamEvent | undefined>
  /** Resolves when the stream has ended: undefined if it is complete, otherwise the reason why it broke off. */
  readonly ended: Promise<string | undefined>
  /** Closes the connection. */
  close(): void
}

/** Response body of undici. */
interface Body extends AsyncIterable<Uint8Array> {
  destroy(error?: Error): unknown
}

/** Callbacks for a body that is being read. */
export interface BodyListener {
  onChunk(text: string): void
  /** Called at the end. `fate` is `answered` for a complete body; `error` is set if it broke off. */
  onEnd(fate: 'answered' | 'broken' | 'left', error?: string): void
}

/** Reads server-sent events from a body. Times of arrival are relative to `startedAt`, in milliseconds. */
export function readEvents(
  head: Pick<EventStream, 'status' | 'headers' | 'exchange'>,
  body: Body,
  startedAt: number,
  { onChunk, onEnd }: BodyListener,
): EventStream {
  const stream = createStreamEvents()
  const chunks: string[] = []
  const waiting = new Set<() => void>()
  let done = false
  let left = false
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  const pump = async (): Promise<string | undefined> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        const text = decoder.decode(chunk, { stream: true })
        chunks.push(text)
        onChunk(text)
        stream.feed(text, performance.now() - startedAt)
        wake()
      }
      onEnd(left ? 'left' : 'answered')
      return undefined
    } catch (error) {
      const why = reasonOf(error)
      onEnd(left ? 'left' : 'broken', left ? undefined : why)
      return left ? undefined : why
    } finally {
      done = true
      wake()
    }
  }
  return {
    ...head,
    events: stream.events,
    raw: () => chunks.join(''),
    find: (test) =>
      new Promise((resolve) => {
        const check = () => {
          const event = stream.events.find(test)
          if (!event && !done) return
          waiting.delete(check)
          resolve(event)
        }
        waiting.add(check)
        check()
      }),
    ended: pump(),
    close() {
      left = true
      body.destroy()
    },
  }
}

/**
 * Id of the run in the `metadata` event of a stream.
 *
 * @throws Stopped if there is none
 */
export function streamedRunId(stream: EventStream): string {
  const [data] = dataOf(stream.events, 'metadata')
  const id = at(data, 'run_id')
  if (isUuid(id)) return id
  throw new Stopped(`expected a metadata event with a run_id, received ${show(data)}`, stream)
}
