import type { Evidence, Exchange, StreamEvent } from '../../reporters/model.ts'
import { curl } from './curl.ts'
import { createOrigins, type Origins, type ReceivedAnswer, type Seen, type SentRequest } from './origins.ts'
import { createRedactor, redactHeaders, type Secret } from './redact.ts'

/** Keeps what one check saw, without secrets and within bounds. */
export interface Recorder {
  /** Notes a request; the returned function notes its answer. */
  request(request: SentRequest): (answer: ReceivedAnswer) => void
  /** Keeps a stream's events: the array may still grow. */
  stream(url: string, events: readonly StreamEvent[]): void
  /**
   * What was seen until now: the last exchanges and streams, where a failure shows. Of a read that was repeated until
   * something changed, the first and the last are told. Where several exchanges are asked for, those of other checks
   * that made what they use come first. Where it is about one answer, that exchange comes last; requests that are still
   * under way beside it tell nothing.
   */
  evidence(last: { exchanges: number; streams: number }, about?: About): Evidence
}

/** The answer that a failure is about; without a text it never came, or broke off. */
type About = { readonly status: number | undefined; readonly text: string | undefined } | undefined

/** Longest body kept in a report, in characters: enough for any kit answer. */
const bodyLimit = 4000
/** Longest data of one event, in characters. */
const dataLimit = 1000
/** Events kept of one stream. */
const eventLimit = 60

/**
 * Creates the evidence of one check; `origins` is shared by the checks of a session. Only what is asked for is redacted
 * and copied: most checks pass.
 */
export function createRecorder(secrets: readonly Secret[], origins: Origins = createOrigins()): Recorder {
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
        origins.note(one)
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
      const told = ending(seen, about).slice(-last.exchanges)
      const past = last.exchanges > 1 ? origins.of(told) : []
      const exchanges = [...past, ...told].map((one) => toExchange(one, redact, secrets))
      return { exchanges, ...(kept.length > 0 ? { streams: kept } : {}) }
    },
  }
}

/** The exchanges that are over, with the one that a failure is about at the end. */
function ending(seen: readonly Seen[], about: About): readonly Seen[] {
  const over = seen.filter(({ answer }) => answer.status !== undefined || answer.error !== undefined)
  const told = about && over.findLast(({ answer }) => answer.status === about.status && answer.body === about.text)
  const telling = withoutPolls(over, told)
  return told === undefined ? telling : [...telling.filter((one) => one !== told), told]
}

/** Without reads that were repeated, but for the first and the last, as long as nothing else than reading was done. */
function withoutPolls(exchanges: readonly Seen[], kept: Seen | undefined): readonly Seen[] {
  let stretch = 0
  const series = Map.groupBy(exchanges, ({ sent: { method, url, headers } }) => {
    if (method !== 'GET') stretch += 1
    return JSON.stringify([stretch, method, url, headers])
  })
  const between = new Set([...series.values()].flatMap((same) => same.slice(1, -1)))
  return exchanges.filter((one) => one === kept || !between.has(one))
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
