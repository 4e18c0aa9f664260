import type { Evidence, Exchange } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { exchangeBlock, exchangeLine } from './exchange.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { timeline } from './timeline.ts'

/** Exchanges in a row that asked and answered the same, as polling does; the last one stands for all. */
interface Repeated {
  exchange: Exchange
  times: number
}

/** What a check saw: its streams drawn, then its exchanges, the last of them open. */
export function seen(context: PageContext, { exchanges, streams = [] }: Evidence): Html {
  const { depth } = context
  const all = withoutRepeats(exchanges)
  const whole = depth.exchanges === 0 ? [] : all.slice(-depth.exchanges)
  const before = all.slice(0, all.length - whole.length)
  const lines = depth.lines === 0 ? [] : before.slice(-depth.lines)
  const left = before.length - lines.length
  const isDrawn = ({ method, url, responseHeaders }: Exchange) =>
    streams.some((stream) => stream.events.length > 0 && [url, `${method} ${url}`].includes(stream.url)) &&
    (responseHeaders?.['content-type'] ?? '').startsWith('text/event-stream')
  const last = whole.at(-1)
  return html`${streams.length > 0 && html`<div><p class="label">${streams.length > 1 ? 'Streams' : 'The stream'}, over time</p>${streams.map((stream) => timeline(context, stream))}</div>`}${exchanges.length > 0 && html`<div class="exchanges"><p class="label">${exchanges.length > 1 ? `${exchanges.length} exchanges, the deciding one last` : 'The exchange'}</p>${left > 0 && html`<p class="note">${plural(left, 'earlier exchange')} in the JSON report</p>`}${lines.map(({ exchange, times }) => html`<p class="x">${exchangeLine(context, exchange, times)}</p>`)}${whole.map((it) => exchangeBlock(context, it.exchange, { open: it === last, drawn: isDrawn(it.exchange), times: it.times }))}</div>`}`
}

function withoutRepeats(exchanges: readonly Exchange[]): Repeated[] {
  const found: Repeated[] = []
  for (const exchange of exchanges) {
    const last = found.at(-1)
    if (last !== undefined && isSame(last.exchange, exchange))
      found[found.length - 1] = { exchange, times: last.times + 1 }
    else found.push({ exchange, times: 1 })
  }
  return found
}

function isSame(one: Exchange, other: Exchange): boolean {
  const keys = ['method', 'url', 'requestBody', 'status', 'responseBody', 'error'] as const
  return keys.every((key) => one[key] === other[key])
}
