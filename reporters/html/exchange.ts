import { status } from '../facts.ts'
import { formatJson } from '../format-json.ts'
import type { Exchange } from '../model/report.ts'
import { clip } from '../model/text.ts'
import type { Limits } from './limits.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { duration, pathOf } from './text.ts'

export interface ExchangeOptions {
  /** Whether the block is open at first. @default false */
  open?: boolean
  /** Whether a timeline shows the response, so that its body is left out. @default false */
  hasTimeline?: boolean
  /** Number of consecutive requests with this response. @default 1 */
  times?: number
}

/** A request with its response and a curl command. A page shows each exchange once; later blocks link to it. */
export function exchangeBlock(
  context: PageContext,
  exchange: Exchange,
  { open = false, hasTimeline = false, times = 1 }: ExchangeOptions = {},
): Html {
  const { id, isRepeated } = context.exchangeId(exchange)
  const summary = html`<summary>${exchangeLine(context, exchange, times)}</summary>`
  if (isRepeated) {
    return html`<details class="x" data-same="${id}">${summary}<p class="note">See the details <a href="#${id}">above</a>.</p></details>`
  }
  const { limits } = context
  const { method, url, requestHeaders, requestBody, responseHeaders = {}, curl } = exchange
  const body = hasTimeline ? '(see the events in the timeline)' : exchange.responseBody
  const request = message(`${method} ${clip(url, 2000)}`, requestHeaders, requestBody, limits)
  const response = message(status(exchange), responseHeaders, body, limits)
  return html`<details class="x" id="${id}"${open && html` open`}>${summary}<p class="label">Request</p>${request}${curlBlock(curl, limits.body)}<p class="label">Response</p>${response}</details>`
}

/** An exchange on one line: method, path, status, duration. */
export function exchangeLine({ report }: PageContext, exchange: Exchange, times = 1): Html {
  return html`<code class="url"><b>${exchange.method}</b> ${pathOf(exchange.url, report)}</code>${times > 1 && html` <span class="dim">${times} times</span>`} <span class="to">${status(exchange)}<span class="time"> ${duration(exchange.durationMs)}</span></span>`
}

/** A curl command; the script of the page adds a button that copies it. */
export function curlBlock(curl: string, limit: number): Html {
  return html`<div class="curl"><p class="label">Shell command</p><pre>\n${clip(curl, Math.max(limit, 300))}</pre></div>`
}

function message(
  firstLine: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  limits: Limits,
): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = clip(lines.join('\n'), limits.headers)
  return html`<pre tabindex="0">\n<b>${firstLine}</b>${head !== '' && html`\n<span class="dim">${head}</span>`}${body !== undefined && body !== '' && html`\n\n${clip(formatJson(body), limits.body)}`}</pre>`
}
