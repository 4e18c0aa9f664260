import type { Evidence, Exchange, StreamEvent } from '../../reporters/model/report.ts'
import type { ScenarioTrace } from '../trace/trace.ts'
import { curl } from './curl.ts'
import { createOrigins, type Origins, type ReceivedAnswer, type Seen, type SentRequest } from './origins.ts'
import { createRedactor, redactHeaders, type Secret } from './redact.ts'

/** Keeps what one check saw, without secrets and within bounds. */
export interface Recorder {
  /** Writes the exchanges of the check to the trace; undefined outside of checks. */
  readonly scenario: ScenarioTrace | undefined
  /** Notes a request; the returned function notes its answer, and what is made of that for the check. */
  request(request: SentRequest): (answer: ReceivedAnswer, became?: object) => void
  /** Keeps a stream's events: the array may still grow. */
  stream(url: string, events: readonly StreamEvent[]): void
  /**
   * What was seen until now: the last exchanges and streams, where a failure shows. Of a read that was repeated until
   * something changed, the first and the last are told. Where several exchanges are asked for, those of other checks
   * that made what they use come first. What it is about comes last; requests that are still under way beside it tell
   * nothing.
   */
  evidence(last: { exchanges: number; streams: number }, about?: About): Evidence
  /** Notes what the check looks at from now on: what it finds is about that, until it sends another request. */
  lookAt(about: About): void
  /** What it looks at. */
  lookedAt(): About | undefined
}

/** What a failure is about: the last exchange of its evidence. */
export type About =
  /** This answer, whichever check received it; without a text it never came, or broke off. */
  | { readonly status: number | undefined; readonly text: string | undefined }
  /** What has these ids: the requests that made it, whichever check sent them, the last id last. */
  | { readonly made: readonly string[] }
  /** The last answer to a GET of this path, of any page of it where the answer must hold a text. */
  | { readonly read: string; readonly holding?: string }

/** Longest body kept in a report, in characters: enough for any response of a test graph. */
const bodyLimit = 4000
/** Longest data of one event, in characters. */
const dataLimit = 1000
/** Events kept of one stream. */
const eventLimit = 60

/**
 * Creates the evidence of one check; `origins` is shared by the checks of a session. Only what is asked for is redacted
 * and copied: most checks pass.
 */
export function createRecorder(
  secrets: readonly Secret[],
  origins: Origins = createOrigins(),
  scenario?: ScenarioTrace,
): Recorder {
  const redact = createRedactor(secrets)
  const seen: Seen[] = []
  const streams: { url: string; events: readonly StreamEvent[] }[] = []
  let looked: { readonly about: About; readonly sent: number } | undefined
  const lookedAt = () => (looked?.sent === seen.length ? looked.about : undefined)
  return {
    scenario,
    lookAt(about) {
      looked = { about, sent: seen.length }
    },
    lookedAt,
    request(sent) {
      const one: Seen = { sent, at: new Date(), startedAt: performance.now(), durationMs: 0, answer: {} }
      seen.push(one)
      return (answer, became) => {
        one.durationMs = Math.round((performance.now() - one.startedAt) * 10) / 10
        one.answer = answer
        origins.note(one, became)
      }
    },
    stream(url, events) {
      streams.push({ url, events })
    },
    evidence(last, about = lookedAt()) {
      const kept = streams.slice(streams.length - Math.min(streams.length, last.streams)).map(({ url, events }) => ({
        url: redact(url),
        events: events.slice(0, eventLimit).map((event) => ({ ...event, data: clip(redact(event.data), dataLimit) })),
      }))
      const told = ending(seen, about, origins).slice(-last.exchanges)
      const past = last.exchanges > 1 ? origins.of(told) : []
      const holding = about !== undefined && 'read' in about ? about.holding : undefined
      const exchanges = [...past, ...told].map((one) => toExchange(one, redact, secrets, holding))
      return { exchanges, ...(kept.length > 0 ? { streams: kept } : {}) }
    },
  }
}

/** The exchanges that are over, with what a failure is about at the end. */
function ending(seen: readonly Seen[], about: About | undefined, origins: Origins): readonly Seen[] {
  const over = seen.filter(({ answer }) => answer.status !== undefined || answer.error !== undefined)
  const aim = about === undefined ? [] : aimedAt(over, about, origins)
  const telling = withoutPolls(over, aim)
  return [...telling.filter((one) => !aim.includes(one)), ...aim]
}

/** The exchanges that a failure is about, that which tells most at the end. */
function aimedAt(over: readonly Seen[], about: About, origins: Origins): readonly Seen[] {
  if ('made' in about) {
    const histories = about.made.map((id) => origins.history(id))
    const later = histories.flatMap((history) => history.slice(1)).sort((a, b) => a.startedAt - b.startedAt)
    return [...new Set([...later, ...histories.flatMap((history) => history.slice(0, 1))])]
  }
  const test =
    'read' in about
      ? (one: Seen) => isReadOf(one, about.read, about.holding)
      : ({ answer }: Seen) => answer.status === about.status && answer.body === about.text
  const found = origins.exchangeOf(about) ?? over.findLast(test) ?? origins.findLast(test)
  return found === undefined ? [] : [found]
}

function isReadOf({ sent, answer }: Seen, path: string, holding: string | undefined): boolean {
  if (sent.method !== 'GET') return false
  if (holding === undefined) return sent.url.endsWith(path)
  return sent.url.replace(/\?.*$/, '').endsWith(path) && (answer.body?.includes(holding) ?? false)
}

/** Without reads that were repeated, but for the first and the last, as long as nothing else than reading was done. */
function withoutPolls(exchanges: readonly Seen[], kept: readonly Seen[]): readonly Seen[] {
  let stretch = 0
  const series = Map.groupBy(exchanges, ({ sent: { method, url, headers } }) => {
    if (method !== 'GET') stretch += 1
    return JSON.stringify([stretch, method, url, headers])
  })
  const between = new Set([...series.values()].flatMap((same) => same.slice(1, -1)))
  return exchanges.filter((one) => kept.includes(one) || !between.has(one))
}

function toExchange(
  { sent, at, durationMs, answer }: Seen,
  redact: (text: string) => string,
  secrets: readonly Secret[],
  holding: string | undefined,
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
      : { responseBody: clipAround(redact(body), bodyLimit, holding), responseBytes: Buffer.byteLength(body) }),
    startedAt: at.toISOString(),
    durationMs,
    ...(error === undefined ? {} : { error: redact(error) }),
    curl: redact(curl(sent, secrets, bodyLimit)),
  }
}

function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

/** Cuts a long text so that a text which stands in it is there, with what comes just before it. */
export function clipAround(text: string, limit: number, holding: string | undefined): string {
  const at = holding === undefined ? -1 : text.indexOf(holding)
  const start = at - contextLength
  if (text.length <= limit || start <= 0) return clip(text, limit)
  const rest = text.slice(start, start + limit)
  return `(${start} characters) …${rest}… (${text.length} characters)`
}

/** Characters before what is looked for. */
const contextLength = 100
