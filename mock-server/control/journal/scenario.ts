import type { RecordedExchange, Recording } from '../../scripting/recording.ts'
import { type Capture, textOf } from './capture.ts'
import { type Entry, isStream } from './exchange.ts'
import { valueIn } from './present.ts'
import type { Secrets } from './secrets.ts'

/** A recording, and what it could not contain. */
export interface RecordedSession {
  readonly recording: Recording
  /** Requests that are left out, each with the reason. */
  readonly omitted: readonly string[]
}

/** What was recorded of a session. */
interface SessionEntries {
  readonly startedAt: number
  /** In the order of the requests. */
  readonly entries: readonly Entry[]
  readonly secrets: Secrets
}

/** Headers of one response or connection only, and those for browsers, which the mock server adds. */
const OMITTED = /^(?:connection|keep-alive|transfer-encoding|trailer|content-length|date|set-cookie|access-control-.*)$/

/** Returns the section of a scenario with the recorded exchanges, without secrets. */
export function sessionOf({ entries, secrets, startedAt }: SessionEntries, target: string): RecordedSession {
  const exchanges: RecordedExchange[] = []
  const omitted: string[] = []
  for (const entry of entries) {
    // The mock server responds to preflight requests of browsers itself.
    if (entry.method === 'OPTIONS') continue
    const reason = whyOmitted(entry)
    if (reason === undefined) exchanges.push(exchangeOf(entry, secrets, startedAt))
    else omitted.push(secrets.text(`${entry.method} ${entry.path}: ${reason}`))
  }
  return {
    recording: { target: secrets.url(target), startedAt: new Date(startedAt).toISOString(), exchanges },
    omitted,
  }
}

function whyOmitted({ requestBody, responseBody, responseHeaders, failure }: Entry): string | undefined {
  const cut = [requestBody, responseBody].find(({ keptBytes, size }) => keptBytes < size)
  if (cut !== undefined) return `a body is larger than ${sizeText(cut.keptBytes)}`
  if (failure === 'server error') return 'the server failed'
  const encoding = responseHeaders?.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return `the response is compressed (${encoding})`
  if (![requestBody, responseBody].every(isText)) return 'a body is not a text in UTF-8'
  return undefined
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 2 ** 20
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`
}

function isText({ chunks }: Capture): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const { bytes } of chunks) decoder.decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function exchangeOf(entry: Entry, secrets: Secrets, startedAt: number): RecordedExchange {
  const { at, method, requestHeaders, requestBody, status, responseHeaders, headAt = at, endedAt } = entry
  // A response that is still open when the recording ends stays open in a replay, too, until the client disconnects.
  const failure = endedAt === undefined ? 'client left' : (entry.failure as RecordedExchange['failure'])
  const { pathname, search } = new URL(secrets.url(entry.url))
  const lastEventId = requestHeaders.get('last-event-id')
  const sent = textOf(requestBody)
  const body = bodyOf(entry, secrets, at)
  const lastMs = body.at(-1)?.afterMs ?? since(at, headAt)
  return {
    atMs: since(startedAt, at),
    request: {
      method,
      path: pathname + search,
      ...(lastEventId !== null && { lastEventId: secrets.text(lastEventId) }),
      ...(sent !== '' && { body: valueIn(sent, secrets) }),
    },
    ...(status !== undefined &&
      responseHeaders !== undefined && {
        response: {
          status,
          headers: Object.fromEntries(
            Object.entries(secrets.headers(responseHeaders)).filter(([name]) => !OMITTED.test(name)),
          ),
          afterMs: since(at, headAt),
          body,
        },
      }),
    tookMs: endedAt === undefined ? lastMs : since(at, endedAt),
    ...(failure !== undefined && { failure }),
  }
}

function since(from: number, to: number): number {
  return Math.round((to - from) * 10) / 10
}

/** Returns the parts of a response's body: the events of a stream, the lines of any other body. */
function bodyOf(entry: Entry, secrets: Secrets, at: number): { afterMs: number; text: string }[] {
  const parts = partsOf(entry.responseBody, isStream(entry) ? '\\r\\n\\r\\n|\\n\\n|\\r\\r' : '\\n')
  const redact = isStream(entry) ? redactEvent : redactText
  // JSON over several lines cannot be parsed, and so not redacted, line by line.
  const whole = parts.map(({ text }) => text).join('')
  const isChanged = !isStream(entry) && redactText(whole, secrets) !== whole
  const redacted = isChanged
    ? [{ text: redactText(whole, secrets), at: parts.at(-1)?.at ?? at }]
    : parts.map((part) => ({ ...part, text: redact(part.text, secrets) }))
  return redacted.map((part) => ({ afterMs: since(at, part.at), text: part.text }))
}

/** Splits a body at this pattern. Each part has the time at which it was complete. */
function partsOf({ chunks }: Capture, end: string): { text: string; at: number }[] {
  const separator = new RegExp(`(?<=${end})`)
  const isComplete = new RegExp(`(?:${end})$`)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: { text: string; at: number }[] = []
  let rest = ''
  for (const { bytes, at } of chunks) {
    const pieces = (rest + decoder.decode(bytes, { stream: true })).split(separator)
    rest = isComplete.test(pieces.at(-1) ?? '') ? '' : (pieces.pop() ?? '')
    parts.push(...pieces.map((text) => ({ text, at })))
  }
  const [last] = chunks.slice(-1)
  if (rest !== '' && last !== undefined) parts.push({ text: rest, at: last.at })
  return parts
}

function redactText(text: string, secrets: Secrets): string {
  try {
    const value = JSON.parse(text)
    const redacted = JSON.stringify(secrets.json(value))
    // Without secrets, the text keeps its spaces.
    return redacted === JSON.stringify(value) ? text : redacted
  } catch {
    return secrets.text(text)
  }
}

/** Redacts an event of a stream. An event without secrets stays as it is. */
function redactEvent(text: string, secrets: Secrets): string {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const isData = (line: string): boolean => /^data:/.test(line)
  const data = lines.filter(isData).map((line) => line.replace(/^data: ?/, '').replace(/[\r\n]+$/, ''))
  const joined = data.join('\n')
  const redacted = redactText(joined, secrets)
  if (redacted === joined) return lines.map((line) => (isData(line) ? line : secrets.text(line))).join('')
  const first = lines.findIndex(isData)
  return lines
    .flatMap((line, index) => {
      if (!isData(line)) return [secrets.text(line)]
      return index === first ? [...redacted.split('\n').map((part) => `data: ${part}\n`)] : []
    })
    .join('')
}
