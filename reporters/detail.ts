import { alike, type Cause, causes } from './findings.ts'
import type { Evidence, Exchange, RequirementResult, StreamEvent } from './model/report.ts'
import { clip, plural, visible } from './model/text.ts'

/** A labelled text, ready to print: everything in `text` is visible; it may have several lines. */
export interface Fact {
  label:
    | 'requirement'
    | 'interpretation'
    | 'section'
    | 'reason'
    | 'verdicts'
    | 'endpoint'
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

/** What the document asks for, and how the row went on each endpoint; `limit` bounds each text in characters. */
export function rowFacts(row: RequirementResult, limit: number): Fact[] {
  const entries: Entry[] = [
    ['requirement', row.statement],
    ['interpretation', row.interpretation],
    ['section', `${row.section} (area ${row.area}, ${row.level})`],
    ['reason', row.reason],
    ['verdicts', row.outcomes.length > 1 ? verdicts(row) : undefined],
  ]
  return facts(entries, limit)
}

/** Most findings of one cause that are shown: further ones differ in details only. */
const shownOfOneCause = 3
/** Most checks that are named beside the one whose finding is shown. */
const namedAtMost = 10

/**
 * What was seen: one list for each way in which the row went wrong, of equal findings the first that has evidence, with
 * the checks that met the same; `limit` bounds each text in characters.
 */
export function causeFacts(row: RequirementResult, limit: number): Fact[][] {
  return alike(causes(row)).flatMap((ways) =>
    ways.slice(0, shownOfOneCause).flatMap((equal, index) => {
      const shown = equal.find(({ outcome }) => outcome.evidence !== undefined) ?? equal[0]
      if (shown === undefined) return []
      const others = equal.filter((cause) => cause !== shown)
      const further = index === shownOfOneCause - 1 ? ways.slice(shownOfOneCause).flat() : []
      const more: Entry[] = [
        ['more', others.length === 0 ? undefined : named('met the same', others)],
        ['more', further.length === 0 ? undefined : named('met the like', further)],
      ]
      return [facts([...ofCause(shown, limit), ...more], limit)]
    }),
  )
}

function named(what: string, found: readonly Cause[]): string {
  const left = found.length - namedAtMost
  const names = found.slice(0, namedAtMost).map(({ outcome }) => `${outcome.endpoint}: ${outcome.check}`)
  return [`${plural(found.length, 'more check')} ${what}:`, ...names, ...(left > 0 ? [`and ${left} more`] : [])].join(
    '\n',
  )
}

type Entry = [Fact['label'], string | undefined]

function ofCause({ outcome, times }: Cause, limit: number): Entry[] {
  const { failure, evidence } = outcome
  const last = evidence?.exchanges.at(-1)
  return [
    ['endpoint', `${outcome.endpoint}: ${outcome.check}${times > 1 ? ` (seen ${times} times)` : ''}`],
    ['cause', failure?.message ?? outcome.observation],
    ['expected', failure?.expected],
    ['received', failure?.received],
    ['exchange', evidence && last && conversation(evidence, last, limit)],
    ['stream', evidence?.streams?.map((stream) => `${stream.url}\n${stream.events.map(event).join('\n')}`).join('\n')],
    ['curl', last?.curl],
  ]
}

function facts(entries: readonly Entry[], limit: number): Fact[] {
  return entries.flatMap(([label, text]) =>
    text === undefined ? [] : [{ label, text: text === '' ? '(empty)' : visible(clip(text, limit)) }],
  )
}

function verdicts(row: RequirementResult): string {
  const found = new Map<string, Map<string, number>>()
  for (const { endpoint, verdict } of row.outcomes) {
    const times = found.get(endpoint) ?? new Map<string, number>()
    found.set(endpoint, times.set(verdict, (times.get(verdict) ?? 0) + 1))
  }
  return [...found]
    .map(([endpoint, times]) => `${endpoint}: ${[...times].map(([verdict, n]) => `${n} ${verdict}`).join(', ')}`)
    .join('; ')
}

/** The requests that led up to the last one in a line each, then the last one whole: it is the deciding one. */
function conversation({ exchanges }: Evidence, last: Exchange, limit: number): string {
  const before = exchanges.slice(-6, -1).map((exchange) => `${exchange.method} ${exchange.url} → ${status(exchange)}`)
  const part = Math.floor(limit / 4)
  return [
    ...before.map((line) => clip(line, 300)),
    ...(before.length > 0 ? ['deciding:'] : []),
    clip(`${last.method} ${last.url}`, 1000),
    ...block(last.requestHeaders, last.requestBody, part),
    `→ ${status(last)} after ${Math.round(last.durationMs)} ms`,
    ...block(last.responseHeaders ?? {}, last.responseBody, part),
  ].join('\n')
}

function status({ status, error }: Exchange): string {
  if (status === undefined && error === undefined) return 'still under way'
  return [status ?? 'no answer', error].filter((part) => part !== undefined).join(', ')
}

function block(headers: Record<string, string>, body: string | undefined, limit: number): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...(lines.length > 0 ? [clip(lines.join('\n'), limit)] : []), ...(body ? ['', clip(body, limit)] : [])]
}

function event({ atMs, event, data, id }: StreamEvent): string {
  return `${Math.round(atMs)} ms  ${event}${id === undefined ? '' : ` (id ${id})`}  ${data}`
}
