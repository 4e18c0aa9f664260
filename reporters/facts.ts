import { type Cause, causes, failedCases, groupCauses, headlineWithIds } from './causes.ts'
import { foldJson, type Wanted } from './format-json.ts'
import type { Evidence, Exchange, Failure, RequirementResult, StreamEvent } from './model/report.ts'
import { shownRequestHeaders } from './model/secrets.ts'
import { clip, plural, visible } from './model/text.ts'

/** A labeled text, ready to print: control characters in `text` are escaped. It may have several lines. */
export interface Fact {
  label:
    | 'requirement'
    | 'interpretation'
    | 'section'
    | 'reason'
    | 'verdicts'
    | 'where'
    | 'cause'
    | 'expected'
    | 'received'
    | 'exchange'
    | 'stream'
    | 'curl'
    | 'more'
    | 'replay'
  text: string
}

/** What the specification requires, and the verdict on each endpoint. Each text has at most `limit` characters. */
export function requirementFacts(requirement: RequirementResult, limit: number): Fact[] {
  const { statement, interpretation, section, area, level, reason, outcomes } = requirement
  const entries: Entry[] = [
    ['requirement', statement],
    ['interpretation', interpretation],
    ['section', `${section} (area ${area}, ${level})`],
    ['reason', reason],
    ['verdicts', outcomes.length > 1 ? verdicts(requirement) : undefined],
  ]
  return facts(entries, limit)
}

/** Causes with one message of which details are shown. */
const shownPerMessage = 3
/** Checks that are named next to the one whose details are shown. */
const maxNamedChecks = 10

/**
 * Why a requirement has its verdict: one list of facts per cause. Of equal causes, the first with evidence is shown and
 * the other checks are named. Each text has at most `limit` characters.
 */
export function causeFacts(requirement: RequirementResult, limit: number): Fact[][] {
  return groupCauses(causes(requirement)).flatMap((variants) =>
    variants.slice(0, shownPerMessage).flatMap((equal, index) => {
      const shown = equal.find(({ outcome }) => outcome.evidence !== undefined) ?? equal[0]
      if (shown === undefined) return []
      const others = equal.filter((cause) => cause !== shown)
      const similar = index === shownPerMessage - 1 ? variants.slice(shownPerMessage).flat() : []
      const more: Entry[] = [
        ['more', others.length === 0 ? undefined : checkList('with the same result', others)],
        ['more', similar.length === 0 ? undefined : checkList('with a similar result', similar)],
      ]
      return [facts([...causeEntries(shown, limit), ...more], limit)]
    }),
  )
}

function checkList(description: string, causes: readonly Cause[]): string {
  const unnamed = causes.length - maxNamedChecks
  const names = causes.slice(0, maxNamedChecks).map(({ outcome }) => `${outcome.endpoint}: ${outcome.check}`)
  const rest = unnamed > 0 ? [`and ${unnamed} more`] : []
  return [`${plural(causes.length, 'more check')} ${description}:`, ...names, ...rest].join('\n')
}

type Entry = [Fact['label'], string | undefined]

function causeEntries({ outcome, times }: Cause, limit: number): Entry[] {
  const { failure, evidence } = outcome
  const last = evidence?.exchanges.at(-1)
  const cause = headlineWithIds(outcome, limit)
  const pair = [failure?.expected, failure?.received] as const
  // What these messages expect is in the sentence, not quoted.
  const isStatement = /^expected (that|no) /.test(failure?.message ?? '')
  const isShown = pair.every(
    (text, index) => text !== undefined && (cause?.includes(visible(text)) || (isStatement && index === 0)),
  )
  const [expected, received] = isShown ? [] : pair
  return [
    ['where', whereOf({ outcome, times })],
    ['cause', cause],
    ['expected', expected],
    ['received', received],
    ['exchange', evidence && last && exchangeText(evidence, last, limit, failure)],
    ['stream', evidence?.streams?.map(({ url, events }) => [url, ...events.map(eventLine)].join('\n')).join('\n')],
    ['curl', last?.curl],
  ]
}

function whereOf({ outcome, times }: Cause): string {
  const { endpoint, check, failed } = outcome
  const place = `in the check "${check}"${times > 1 ? ` (${times} times)` : ''} on the endpoint ${endpoint}`
  const cases = failedCases(outcome)
  if (cases === undefined) return place
  return failed === 1 ? `${cases}, ${place}` : `${cases}, first ${place}`
}

function facts(entries: readonly Entry[], limit: number): Fact[] {
  return entries.flatMap(([label, text]) =>
    text === undefined ? [] : [{ label, text: text === '' ? '(empty)' : visible(clip(text, limit)) }],
  )
}

function verdicts({ outcomes }: RequirementResult): string {
  const byEndpoint = Map.groupBy(outcomes, ({ endpoint }) => endpoint)
  return [...byEndpoint]
    .map(([endpoint, group]) => {
      const byVerdict = Map.groupBy(group, ({ verdict }) => verdict)
      return `${endpoint}: ${[...byVerdict].map(([verdict, { length }]) => `${length} ${verdict}`).join(', ')}`
    })
    .join('; ')
}

/** What a reader of a failure looks for in the response: its place, or the names and texts: `` `name` `` and `"text"`. */
function wantedBy(failure: Failure | undefined): Wanted {
  const names = failure?.message.match(/(?<=`)\w+(?=`)/g) ?? []
  const texts = failure?.received?.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return { path: failure?.path, tokens: [...names.map((name) => JSON.stringify(name)), ...texts] }
}

/** Longest request body on one line with its request, in characters. */
const shortBody = 240
/** Length of the strings of a longer one: a UUID is shown whole. */
const shortString = 36

/** Ids, and quoted texts that no other response contains by accident; names of fields are in many. */
const longValue = /[\da-f]{8}-[\da-f-]{27}|"(?:[^"\\\n]|\\.){8,}"(?!:)/g
/** Number of requests before the last one that are shown. */
const mostBefore = 5

/** The latest requests before the last one, and the first two whose responses have a value that was received. */
function shownBefore(before: readonly Exchange[], values: readonly string[]): readonly Exchange[] {
  const origins = before
    .filter(({ responseBody = '' }) => values.some((value) => responseBody.includes(value)))
    .slice(0, 2)
  const others = before.filter((each) => !origins.includes(each))
  const latest = others.slice(Math.max(0, others.length - mostBefore + origins.length))
  return before.filter((each) => origins.includes(each) || latest.includes(each))
}

/**
 * The requests before the last one with one line each, then the whole last one, which decided the verdict. Of long bodies,
 * the parts that a reader does not look for are folded.
 */
function exchangeText({ exchanges, streams }: Evidence, last: Exchange, limit: number, failure?: Failure): string {
  const wanted = wantedBy(failure)
  const values = failure?.received?.match(longValue) ?? []
  const before = shownBefore(exchanges.slice(0, -1), values).map((exchange) => {
    const { method, url, requestBody = '', responseBody = '' } = exchange
    const body = requestBody === '{}' ? '' : shortened(requestBody)
    const value = values.find((each) => responseBody.includes(each))
    const end = `→ ${status(exchange)}${value === undefined ? '' : ` with ${value}`}`
    return [sender(exchange), method, url, body, end].filter((part) => part !== '').join(' ')
  })
  const partLimit = Math.floor(limit / 3)
  const isShownAsStream = streams?.some(({ url }) => url === last.url) === true
  return [
    ...before.map((line) => clip(line, 1000)),
    ...(before.length > 0 ? ['deciding exchange:'] : []),
    clip([sender(last), last.method, last.url].filter((part) => part !== '').join(' '), 1000),
    ...message(shownRequestHeaders(last), last.requestBody, partLimit, { tokens: wanted.tokens }),
    `→ ${status(last)} after ${Math.round(last.durationMs)} ms`,
    ...message(last.responseHeaders ?? {}, isShownAsStream ? undefined : last.responseBody, partLimit, wanted),
  ].join('\n')
}

function sender({ user }: Exchange): string {
  return user === undefined ? '' : `[${user}]`
}

/** A long body with shorter strings, so that every field is seen. */
function shortened(body: string): string {
  if (body.length <= shortBody) return body
  const strings = body.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (all, text: string) =>
    text.length > shortString ? `"${text.slice(0, shortString - 1).replace(/\\$/, '')}…"` : all,
  )
  return clip(strings, 2 * shortBody)
}

/** The status of a response, and why it is missing or incomplete. */
export function status({ status, error }: Exchange): string {
  if (status === undefined && error === undefined) return 'still in flight'
  return [status ?? 'no response', error].filter((part) => part !== undefined).join(', ')
}

/** Headers of the connection, which decide nothing. */
const noise =
  /^(?:accept-encoding|accept-language|access-control-.*|connection|content-length|date|keep-alive|sec-fetch-.*|server|transfer-encoding|user-agent|vary)$/i

/** The lines of a message that a reader needs: its headers without those of the connection, and `Accept` if it excludes types. */
export function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    noise.test(name) || (name === 'accept' && value === '*/*') ? [] : [`${name}: ${value}`],
  )
}

/** Longest line of a header, in characters: a long one must not hide the body. */
const headerLimit = 200

function message(headers: Record<string, string>, body: string | undefined, limit: number, wanted: Wanted): string[] {
  const lines = headerLines(headers)
  return [
    ...(lines.length > 0 ? [clip(lines.map((line) => clip(line, headerLimit)).join('\n'), limit)] : []),
    ...(body ? ['', clip(foldJson(body, wanted), limit)] : []),
  ]
}

function eventLine({ atMs, event, data, id }: StreamEvent): string {
  return `${Math.round(atMs)} ms  ${event}${id === undefined ? '' : ` (id ${id})`}  ${data}`
}
