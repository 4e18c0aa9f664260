import type { Evidence, Exchange, StreamEvent } from '../../reporters/model.ts'
import { curl } from './curl.ts'
import { createRedactor, redactHeaders, type Secret } from './redact.ts'

/** A request before it is redacted. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly streams?: boolean
}

/** What came back, before it is redacted. */
export interface ReceivedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly error?: string
}

/** Keeps what one check saw, without secrets and within bounds. */
export interface Recorder {
  /** Notes a request; the returned function notes its answer. */
  request(request: SentRequest): (answer: ReceivedAnswer) => void
  /** Keeps a stream's events: the array may still grow. */
  stream(url: string, events: readonly StreamEvent[]): void
  evidence(): Evidence
}

/** Longest body kept in a report, in characters: enough for any kit answer. */
const bodyLimit = 4000
/** Exchanges kept of one check: the last ones, where the failure shows. */
const exchangeLimit = 12
/** Events kept of one stream. */
const eventLimit = 60

/** Creates the evidence of one check. */
export function createRecorder(secrets: readonly Secret[]): Recorder {
  const redact = createRedactor(secrets)
  const exchanges: Exchange[] = []
  const streams: { url: string; events: readonly StreamEvent[] }[] = []
  return {
    request(sent) {
      const started = performance.now()
      const exchange: Exchange = {
        method: sent.method,
        url: redact(sent.url),
        requestHeaders: redactHeaders(sent.headers, redact),
        startedAt: new Date().toISOString(),
        durationMs: 0,
        curl: redact(curl({ ...sent, ...(sent.body === undefined ? {} : { body: clip(sent.body) }) }, secrets)),
      }
      if (sent.body !== undefined) exchange.requestBody = redact(clip(sent.body))
      exchanges.push(exchange)
      if (exchanges.length > exchangeLimit) exchanges.shift()
      return (answer) => {
        exchange.durationMs = Math.round((performance.now() - started) * 10) / 10
        if (answer.status !== undefined) exchange.status = answer.status
        if (answer.headers) exchange.responseHeaders = redactHeaders(answer.headers, redact)
        if (answer.error !== undefined) exchange.error = redact(answer.error)
        if (answer.body === undefined) return
        exchange.responseBody = redact(clip(answer.body))
        exchange.responseBytes = Buffer.byteLength(answer.body)
      }
    },
    stream(url, events) {
      streams.push({ url: redact(url), events })
    },
    evidence() {
      const kept = streams.map(({ url, events }) => ({
        url,
        events: events.slice(0, eventLimit).map((event) => ({ ...event, data: redact(clip(event.data, 1000)) })),
      }))
      return { exchanges: structuredClone(exchanges), ...(kept.length > 0 ? { streams: kept } : {}) }
    },
  }
}

function clip(text: string, limit: number = bodyLimit): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
