import type { Exchange } from '../model/report.ts'
import { clip } from '../model/text.ts'
import { pathOf } from './address.ts'
import { duration } from './format.ts'
import { layOut } from './json-layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

/** What is special about showing one exchange. */
export interface ExchangeOptions {
  /** Whether it is open from the start. @default false */
  open?: boolean
  /** Whether its answer is drawn as a timeline elsewhere, so that the body is left out. @default false */
  drawn?: boolean
  /** How often it was sent in a row with the same answer. @default 1 */
  times?: number
}

/** One request with its answer and the shell command that repeats it; shown whole once in a page. */
export function exchangeBlock(
  context: PageContext,
  exchange: Exchange,
  { open = false, drawn = false, times = 1 }: ExchangeOptions = {},
): Html {
  const { id, again } = context.once(exchange)
  const summary = html`<summary>${exchangeLine(context, exchange, times)}</summary>`
  if (again) {
    return html`<details class="x" data-same="${id}">${summary}<p class="note">Shown whole <a href="#${id}">further up</a>.</p></details>`
  }
  const { depth } = context
  const request = message(
    `${exchange.method} ${clip(exchange.url, 2000)}`,
    exchange.requestHeaders,
    exchange.requestBody,
    depth,
  )
  const answer = message(
    statusOf(exchange),
    exchange.responseHeaders ?? {},
    drawn ? '(the events are in the timeline)' : exchange.responseBody,
    depth,
  )
  return html`<details class="x" id="${id}"${open && html` open`}>${summary}<p class="label">Request</p>${request}${curlBlock(exchange.curl, depth.body)}<p class="label">Answer</p>${answer}</details>`
}

/** An exchange in one line: method, path, status, time. */
export function exchangeLine({ report }: PageContext, exchange: Exchange, times = 1): Html {
  return html`<code class="url"><b>${exchange.method}</b> ${pathOf(exchange.url, report)}</code>${times > 1 && html` <span class="dim">${times} times alike</span>`} <span class="to">${statusOf(exchange)}<span class="time"> ${duration(exchange.durationMs)}</span></span>`
}

/** A shell command that can be copied. */
export function curlBlock(curl: string, limit: number): Html {
  return html`<div class="curl"><p class="label">The same for a shell</p><pre>\n${clip(curl, Math.max(limit, 300))}</pre></div>`
}

function statusOf({ status, error }: Exchange): string {
  if (status === undefined && error === undefined) return 'still under way'
  return [status ?? 'no answer', error].filter((part) => part !== undefined).join(', ')
}

function message(
  first: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  limits: PageContext['depth'],
): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = clip(lines.join('\n'), limits.headers)
  return html`<pre tabindex="0">\n<b>${first}</b>${head !== '' && html`\n<span class="dim">${head}</span>`}${body !== undefined && body !== '' && html`\n\n${clip(layOut(body), limits.body)}`}</pre>`
}
