import type { Evidence, Exchange, StreamEvent } from '../../reporters/model.ts'
import { curl } from './curl.ts'
import { createRedactor, redactHeaders, type Secret } from './redact.ts'

/** A request before it is redacted. */
interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly streams?: boolean
}

/** What came back, before it is redacted. */
interface ReceivedAnswer {
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
  /**
   * What was seen until now: the last exchanges and streams, where a failure shows. Where it is about one answer, that
   * exchange comes last; requests that are still under way beside it tell nothing.
   */
  evidence(last: { exchanges: number; streams: number }, about?: About): Evidence
}

/** The answer that a failure is about. */
type About = { readonly status: number; readonly text: string } | undefined

interface Seen {
  readonly sent: SentRequest
  readonly at: Date
  readonly startedAt: number
  durationMs: number
  answer: ReceivedAnswer
}

/** Longest body kept in a report, in characters: enough for any kit answer. */
const bodyLimit = 4000
/** Longest data of one event, in characters. */
const dataLimit = 1000
/** Events kept of one stream. */
const eventLimit = 60

/** Creates the evidence of one check. Only what is asked for is redacted and copied: most checks pass. */
export function createRecorder(secrets: readonly Secret[]): Recorder {
  const redact = createRedactor(secrets)
  const seen: Seen[] = []
  const streams: { url: string; events: readonly StreamEvent[] }[] = []
  return {
    request(sent) {
      const one: Seen = { sent, at: new Date(), startedAt: performance.now(), durationMs: 0, answer: {} }
      seen.push(one)
      return (answer) => {
        one.durationMs = Math.round((performance.now() - one.startedAt) * 10) / 10
        one.answer = answer
      }
    },
    stream(url, events) {
      streams.push({ url, events })
    },
    evidence(last, about) {
      const kept = streams.slice(streams.length - Math.min(streams.length, last.streams)).map(({ url, events }) => ({
        url: redact(url),
        events: events.slice(0, eventLimit).map((event) => ({ ...event, data: clip(redact(event.data), dataLimit) })),
      }))
      const exchanges = ending(seen, about)
        .slice(-last.exchanges)
        .map((one) => toExchange(one, redact, secrets))
      return { exchanges, ...(kept.length > 0 ? { streams: kept } : {}) }
    },
  }
}

/** The exchanges that are over, with the one that a failure is about at the end. */
function ending(seen: readonly Seen[], about: About): readonly Seen[] {
  const over = seen.filter(({ answer }) => answer.status !== undefined || answer.error !== undefined)
  const told = about && over.findLast(({ answer }) => answer.status === about.status && answer.body === about.text)
  return told === undefined ? over : [...over.filter((one) => one !== told), told]
}

function toExchange(
  { sent, at, durationMs, answer }: Seen,
  redact: (text: string) => string,
  secrets: readonly Secret[],
): Exchange {
  const { status, headers, body, error } = answer
  // Redacted before it is cut: half a secret would not be found.
  const sentBody = sent.body === undefined ? undefined : clip(redact(sent.body), bodyLimit)
  return {
    method: sent.method,
    url: redact(sent.url),
    requestHeaders: redactHeaders(sent.headers, redact),
    ...(sentBody === undefined ? {} : { requestBody: sentBody }),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { responseHeaders: redactHeaders(headers, redact) }),
    ...(body === undefined
      ? {}
      : { responseBody: clip(redact(body), bodyLimit), responseBytes: Buffer.byteLength(body) }),
    startedAt: at.toISOString(),
    durationMs,
    ...(error === undefined ? {} : { error: redact(error) }),
    curl: redact(curl({ ...sent, ...(sentBody === undefined ? {} : { body: sentBody }) }, secrets)),
  }
}

function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
