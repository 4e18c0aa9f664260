import { createParser } from 'eventsource-parser'
import type { StreamEvent } from '../../reporters/model/report.ts'

/** An event stream that is being read: raw bytes, parsed events and their arrival. */
export interface EventStream {
  /** Id of the exchange in the trace. */
  readonly exchange?: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed events in order; grows until the stream has ended. */
  readonly events: readonly StreamEvent[]
  /** The text as it came. */
  readonly raw: () => string
  /** Resolves with the first event that passes, or with undefined when the stream ends before. */
  find(test: (event: StreamEvent) => boolean): Promise<StreamEvent | undefined>
  /** Resolves when the stream has ended: undefined for a clean end, else why it broke off. */
  readonly ended: Promise<string | undefined>
  /** Leaves the stream. */
  close(): void
}

/** Body of a response as undici gives it. */
interface Body extends AsyncIterable<Uint8Array> {
  destroy(error?: Error): unknown
}

/** Called with the parts of a body and with its end. */
export interface BodyListener {
  onChunk(text: string): void
  /** `fate` tells whether the body was whole; `error` is set where it broke off. */
  onEnd(fate: 'answered' | 'broken' | 'left', error?: string): void
}

/** Reads server-sent events from a body, noting when each arrived after `startedAt`. */
export function readEvents(
  head: Pick<EventStream, 'status' | 'headers' | 'exchange'>,
  body: Body,
  startedAt: number,
  { onChunk, onEnd }: BodyListener,
): EventStream {
  const events: StreamEvent[] = []
  const chunks: string[] = []
  const waiting = new Set<() => void>()
  let done = false
  let left = false
  const wake = () => {
    for (const one of [...waiting]) one()
  }
  const parser = createParser({
    onEvent: ({ event, data, id }) => {
      const atMs = Math.round((performance.now() - startedAt) * 10) / 10
      events.push({ atMs, event: event ?? 'message', data, ...(id === undefined ? {} : { id }) })
    },
  })
  const pump = async (): Promise<string | undefined> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        const text = decoder.decode(chunk, { stream: true })
        chunks.push(text)
        onChunk(text)
        parser.feed(text)
        wake()
      }
      onEnd(left ? 'left' : 'answered')
      return undefined
    } catch (error) {
      const why = String(error instanceof Error ? error.message : error)
      onEnd(left ? 'left' : 'broken', left ? undefined : why)
      return left ? undefined : why
    } finally {
      done = true
      wake()
    }
  }
  return {
    ...head,
    events,
    raw: () => chunks.join(''),
    find: (test) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find(test)
          if (!found && !done) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    ended: pump(),
    close() {
      left = true
      body.destroy()
    },
  }
}
