import type { Evidence, Exchange } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { exchangeBlock, exchangeLine } from './exchange.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { timeline } from './timeline.ts'

/** What a check recorded: its streams as timelines, then its exchanges, with the last one open. */
export function evidenceBlock(context: PageContext, { exchanges, streams = [] }: Evidence): Html {
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
