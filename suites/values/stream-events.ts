import { createParser } from 'eventsource-parser'
import type { StreamEvent } from '../../reporters/model/report.ts'

/** Events of a stream whose text arrives in chunks. */
export interface StreamEvents {
  /** The complete events so far, in order. */
  readonly events: readonly StreamEvent[]
  /** Adds the next chunk, which arrived `atMs` milliseconds after the request was sent. */
  feed(text: string, atMs: number): void
}

/**
 * Creates a parser of server-sent events.
 *
 * @example
 * const stream = createStreamEvents()
 * stream.feed('event: values\rdata: {}\r\r', 12)
 * stream.events // [{ atMs: 12, event: 'values', data: '{}' }]
 */
export function createStreamEvents(): StreamEvents {
  const events: StreamEvent[] = []
  let now = 0
  let endedWithCr = false
  const parser = createParser({
    onEvent: ({ event = 'message', data, id }) => {
      events.push({ atMs: now, event, data, ...(id !== undefined && { id }) })
    },
  })
  return {
    events,
    feed(text, atMs) {
      if (text === '') return
      now = Math.round(atMs * 10) / 10
      // The library waits for the character after a CR, so an event whose last line ends with CR would arrive late.
      const rest = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
      endedWithCr = text.endsWith('\r')
      parser.feed(rest.replaceAll(/\r\n?/g, '\n'))
    },
  }
}
