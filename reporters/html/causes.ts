import { type Cause, causes, groupCauses } from '../causes.ts'
import { formatJson } from '../format-json.ts'
import type { Evidence, Exchange, Failure, RequirementResult, StreamEvent } from '../model/report.ts'
import { clip, plural } from '../model/text.ts'
import { exchangeBlock, exchangeLine } from './exchange.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { breakableId, duration, pathOf, prose, textBlock } from './text.ts'

/** Maximum number of causes with one message that are shown. */
const shownPerMessage = 3

/**
 * The causes of a verdict, grouped by message. The first of each group is open, the others are folded. The message
 * `shownMessage` is left out, because it is already in the summary of the card.
 */
export function causeBlocks(context: PageContext, requirement: RequirementResult, shownMessage?: string): Html {
  const messageLimit = Math.min(context.limits.text, 1000)
  const blocks = groupCauses(causes(requirement)).map((variants) => {
    const group = variants.flat()
    const [first, ...others] = group.slice(0, shownPerMessage)
    const message = first?.outcome.failure?.message ?? first?.outcome.observation
    const more = group.length - shownPerMessage
    return html`${first && html`<div class="cause">${location(first)}${message !== undefined && message !== shownMessage && html`<p class="message">${prose(message, messageLimit)}</p>`}${details(context, first)}</div>`}${others.map((cause) => html`<details class="cause"><summary>Same result ${location(cause)}</summary>${details(context, cause)}</details>`)}${more > 0 && html`<p class="note">and ${plural(more, 'more check')} with the same result</p>`}`
  })
  return html`${blocks}`
}

function location({ outcome, times }: Cause): Html {
  return html`<span class="where">on <b>${outcome.endpoint}</b> in the check <q>${outcome.check}</q>${times > 1 && `, ${times} times`}</span>`
}

function details(context: PageContext, { outcome }: Cause): Html {
  const { failure, blockedBy, unlock, evidence } = outcome
  return html`${blockedBy !== undefined && html`<p>Blocked by ${requirementLink(context, blockedBy)}.</p>`}${unlock !== undefined && html`<p>To test: ${prose(unlock, 1000)}</p>`}${failure !== undefined && comparison(failure, context.limits.text)}${evidence !== undefined && evidenceBlock(context, evidence)}`
}

/** Links the id of a requirement to its place in the page, if the report has it. */
export function requirementLink({ anchors }: PageContext, id: string): Html {
  const anchor = anchors(id)
  return anchor === ''
    ? html`<code>${breakableId(id)}</code>`
    : html`<a href="#${anchor}"><code>${breakableId(id)}</code></a>`
}

function comparison({ expected, received }: Failure, limit: number): Html | undefined {
  if (expected === undefined && received === undefined) return undefined
  return html`<div class="pair">${side('Expected', expected, limit)}${side('Received', received, limit)}</div>`
}

function side(label: string, text: string | undefined, limit: number): Html | undefined {
  return text === undefined ? undefined : html`<div><p class="label">${label}</p>${textBlock(text, limit)}</div>`
}

/** What a check recorded: its streams as timelines, then its exchanges, with the last one open. */
function evidenceBlock(context: PageContext, { exchanges, streams = [] }: Evidence): Html {
  const { limits } = context
  const all = combineRepeats(exchanges)
  const detailed = limits.exchanges === 0 ? [] : all.slice(-limits.exchanges)
  const earlier = all.slice(0, all.length - detailed.length)
  const lines = limits.lines === 0 ? [] : earlier.slice(-limits.lines)
  const hidden = earlier.length - lines.length
  const hasTimeline = ({ method, url, responseHeaders }: Exchange) =>
    streams.some((stream) => stream.events.length > 0 && [url, `${method} ${url}`].includes(stream.url)) &&
    (responseHeaders?.['content-type'] ?? '').startsWith('text/event-stream')
  const last = detailed.at(-1)
  const blocks = detailed.map((repeated) => {
    const { exchange, times } = repeated
    return exchangeBlock(context, exchange, { open: repeated === last, hasTimeline: hasTimeline(exchange), times })
  })
  return html`${streams.length > 0 && html`<div><p class="label">${streams.length > 1 ? 'Streams' : 'Stream'} over time</p>${streams.map((stream) => timeline(context, stream))}</div>`}${exchanges.length > 0 && html`<div class="exchanges"><p class="label">${exchanges.length > 1 ? `${exchanges.length} exchanges, the deciding one last` : 'Exchange'}</p>${hidden > 0 && html`<p class="note">${plural(hidden, 'earlier exchange')} in the JSON report</p>`}${lines.map(({ exchange, times }) => html`<p class="x">${exchangeLine(context, exchange, times)}</p>`)}${blocks}</div>`}`
}

/** Consecutive exchanges with equal requests and responses, as in polling. The last one is shown. */
interface Repeated {
  exchange: Exchange
  times: number
}

function combineRepeats(exchanges: readonly Exchange[]): Repeated[] {
  const combined: Repeated[] = []
  for (const exchange of exchanges) {
    const last = combined.at(-1)
    if (last !== undefined && isEqual(last.exchange, exchange))
      combined[combined.length - 1] = { exchange, times: last.times + 1 }
    else combined.push({ exchange, times: 1 })
  }
  return combined
}

function isEqual(a: Exchange, b: Exchange): boolean {
  const keys = ['method', 'url', 'requestBody', 'status', 'responseBody', 'error'] as const
  return keys.every((key) => a[key] === b[key])
}

type Stream = NonNullable<Evidence['streams']>[number]

/**
 * The events of a stream, one per line: the arrival time, the wait since the previous event, and a drawing of both. It
 * shows whether events arrive one after another or all at once.
 */
function timeline({ limits, report }: PageContext, { url, events }: Stream): Html {
  const path = pathOf(url, report)
  if (events.length === 0)
    return html`<figure class="tl"><figcaption><code class="url">${path}</code>: no events received</figcaption></figure>`
  const total = Math.max(1, ...events.map(({ atMs }) => atMs))
  const shown = events.slice(0, Math.max(1, limits.events))
  const more = events.length - shown.length
  const lines = shown.map((event, index) => eventLine(event, shown[index - 1]?.atMs ?? 0, total, limits.data))
  return html`<figure class="tl"><figcaption><code class="url">${path}</code>: ${plural(events.length, 'event')} in ${duration(total)}</figcaption><p class="columns"><span>arrived</span><span>waited</span></p><ol>${lines}</ol>${more > 0 && html`<p class="note">and ${plural(more, 'more event')}, in the JSON report</p>`}</figure>`
}

function eventLine({ atMs, event, data, id }: StreamEvent, previousMs: number, total: number, limit: number): Html {
  const waitMs = Math.max(0, atMs - previousMs)
  const from = position(previousMs, total)
  const to = position(atMs, total)
  const drawing = html`<svg class="track" aria-hidden="true"><line class="wait" x1="${from}" x2="${to}" y1="50%" y2="50%"/><circle cx="${to}" cy="50%" r="4.5"/></svg>`
  return html`<li><details><summary><span class="at">${duration(atMs)}</span><span class="waited">+${duration(waitMs)}</span>${drawing}<span class="ev"><b>${clip(event, 80)}</b> <span class="dim">${clip(data.replace(/\s+/g, ' '), 90)}</span></span></summary><pre>\n${id !== undefined && html`<span class="dim">id: ${clip(id, 200)}</span>\n`}${clip(formatJson(data), limit)}</pre></details></li>`
}

/** The position of a time on the axis, with space for the circles at both ends. */
function position(ms: number, total: number): string {
  const share = Math.min(1, Math.max(0, ms / total))
  return `${(3 + share * 94).toFixed(1)}%`
}
