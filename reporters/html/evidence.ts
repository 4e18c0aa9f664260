import { headerLines, status } from '../facts.ts'
import { formatJson } from '../format-json.ts'
import type { Evidence, Exchange, StreamEvent } from '../model/report.ts'
import { shownRequestHeaders } from '../model/secrets.ts'
import { clip, plural } from '../model/text.ts'
import type { Limits } from './limits.ts'
import { contentOf, type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { duration, pathOf, withShortIds } from './text.ts'

/** Earlier requests are open if there are at most this many: the cause is often in one of them. */
const maxOpenRequests = 3

/** What came before the deciding exchange, the deciding exchange with its curl command, then its streams, folded. */
export function evidenceBlock(context: PageContext, evidence: Evidence, limits: Limits): Html {
  const { exchanges, streams = [] } = evidence
  const combined = combineRepeats(exchanges)
  const last = combined.at(-1)
  const earlier = combined.slice(0, -1)
  const shown = limits.setup === 0 ? [] : earlier.slice(-limits.setup)
  const hidden = earlier.length - shown.length
  const isOpen = shown.length <= maxOpenRequests
  return html`${
    shown.length > 0 &&
    html`<details class="fold earlier"${isOpen && html` open`}><summary>${plural(
      earlier.reduce((sum, { times }) => sum + times, 0),
      'earlier request',
    )}</summary>${hidden > 0 && html`<p class="note">${plural(hidden, 'more request')} in the JSON report</p>`}${shown.map(({ exchange, times }) => html`<details class="x" data-curl="${exchange.curl}"${isOpen && hasContent(exchange) && html` open`}><summary>${exchangeLine(context, exchange, times)}</summary>${messages(exchange, limits)}</details>`)}</details>`
  }${last !== undefined && decidingExchange(context, last, evidence, limits, shown.length > 0)}${streams.length > 0 && limits.events > 0 && html`<details class="fold"><summary>${streams.length > 1 ? 'Streams' : 'Stream'} over time</summary>${streams.map((stream) => timeline(context, stream, limits))}</details>`}`
}

function decidingExchange(
  context: PageContext,
  { exchange, times }: Repeated,
  { streams = [] }: Evidence,
  limits: Limits,
  hasEarlier: boolean,
): Html {
  const { method, url } = exchange
  const hasTimeline = streams.some(
    (stream) => stream.events.length > 0 && [url, `${method} ${url}`].includes(stream.url),
  )
  const shown =
    hasTimeline && exchange.responseBody === undefined ? { ...exchange, responseBody: '(see the stream)' } : exchange
  return html`<div class="x deciding">${hasEarlier && html`<p class="label">Deciding exchange</p>`}<p>${exchangeLine(context, exchange, times)}</p>${limits.body > 0 && html`${messages(shown, limits)}<div class="curl"><p class="label">Shell command</p><pre tabindex="0">\n${contentOf(clip(exchange.curl, Math.max(limits.body, 1000)))}</pre></div>`}</div>`
}

/** Whether the body of a request says more than that something is created. */
function hasContent({ requestBody = '' }: Exchange): boolean {
  return !['', '{}'].includes(requestBody.trim())
}

/** An exchange on one line: method, path, status, duration. */
function exchangeLine({ report }: PageContext, exchange: Exchange, times: number): Html {
  return html`<code class="url"><b>${exchange.method}</b> ${withShortIds(pathOf(exchange.url, report))}</code>${times > 1 && html` <span class="dim">${times} times</span>`} <span class="to">${status(exchange)}<span class="time"> ${duration(exchange.durationMs)}</span></span>`
}

function messages(exchange: Exchange, limits: Limits): Html {
  const { requestBody, responseHeaders = {}, responseBody, status } = exchange
  return html`${message('Request', shownRequestHeaders(exchange), requestBody, limits)}${status !== undefined && message('Response', responseHeaders, responseBody, limits)}`
}

/** The headers and the body of a message, without the headers of the connection. */
function message(
  label: string,
  headers: Exchange['requestHeaders'],
  body: string | undefined,
  limits: Limits,
): Html | undefined {
  const head = clip(headerLines(headers).join('\n'), limits.body)
  const text = body === undefined || body === '' ? '' : clip(formatJson(body), limits.body)
  if (head === '' && text === '') return undefined
  return html`<p class="label">${label}</p><pre tabindex="0">\n${head !== '' && html`<span class="dim">${head}</span>`}${head !== '' && text !== '' && '\n\n'}${withShortIds(text)}</pre>`
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
  const keys = ['method', 'url', 'curl', 'requestBody', 'status', 'responseBody', 'error'] as const
  return keys.every((key) => a[key] === b[key])
}

type Stream = NonNullable<Evidence['streams']>[number]

/**
 * The events of a stream, one per line: the arrival time, the wait since the previous event, and a drawing of both. It
 * shows whether events arrive one after another or all at once.
 */
function timeline({ report }: PageContext, { url, events }: Stream, limits: Limits): Html {
  const path = pathOf(url, report)
  if (events.length === 0)
    return html`<figure class="tl"><figcaption><code class="url">${path}</code>: no events received</figcaption></figure>`
  const total = Math.max(1, ...events.map(({ atMs }) => atMs))
  const shown = events.slice(0, limits.events)
  const more = events.length - shown.length
  const lines = shown.map((event, index) => eventLine(event, shown[index - 1]?.atMs ?? 0, total, limits.data))
  return html`<figure class="tl"><figcaption><code class="url">${path}</code>: ${plural(events.length, 'event')} in ${duration(total)}</figcaption><p class="columns"><span>arrived</span><span>waited</span></p><ol>${lines}</ol>${more > 0 && html`<p class="note">and ${plural(more, 'more event')}, in the JSON report</p>`}</figure>`
}

function eventLine({ atMs, event, data, id }: StreamEvent, previousMs: number, total: number, limit: number): Html {
  const waitMs = Math.max(0, atMs - previousMs)
  const from = position(previousMs, total)
  const to = position(atMs, total)
  const drawing = html`<svg class="track" aria-hidden="true"><line class="wait" x1="${from}" x2="${to}" y1="50%" y2="50%"/><circle cx="${to}" cy="50%" r="4.5"/></svg>`
  return html`<li><details><summary><span class="at">${duration(atMs)}</span><span class="waited">+${duration(waitMs)}</span>${drawing}<span class="ev"><b>${clip(event, 80)}</b> <span class="dim">${clip(data.replace(/\s+/g, ' '), 90)}</span></span></summary><pre>\n${id !== undefined && html`<span class="dim">id: ${clip(id, 200)}</span>\n`}${contentOf(clip(formatJson(data), limit))}</pre></details></li>`
}

/** The position of a time on the axis, with space for the circles at both ends. */
function position(ms: number, total: number): string {
  const share = Math.min(1, Math.max(0, ms / total))
  return `${(3 + share * 94).toFixed(1)}%`
}
