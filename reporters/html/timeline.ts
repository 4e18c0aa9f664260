import type { Evidence, StreamEvent } from '../model/report.ts'
import { clip, plural } from '../model/text.ts'
import { pathOf } from './address.ts'
import { duration } from './format.ts'
import { layOut } from './json-layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

type Stream = NonNullable<Evidence['streams']>[number]

/**
 * The events of a stream over time, one a line: when it arrived, how long it let wait, and both drawn to scale (a line
 * for the wait, a mark for the arrival), so that a stream that comes all at once looks different from one that flows.
 */
export function timeline({ depth, report }: PageContext, { url, events }: Stream): Html {
  const path = pathOf(url, report)
  if (events.length === 0)
    return html`<figure class="tl"><figcaption><code class="url">${path}</code>: no event came.</figcaption></figure>`
  const total = Math.max(1, ...events.map(({ atMs }) => atMs))
  const shown = events.slice(0, Math.max(1, depth.events))
  const more = events.length - shown.length
  const rows = shown.map((event, index) => eventLine(event, shown[index - 1]?.atMs ?? 0, total, depth.data))
  return html`<figure class="tl"><figcaption><code class="url">${path}</code>: ${plural(events.length, 'event')} in ${duration(total)}</figcaption><p class="columns"><span>arrived</span><span>waited</span></p><ol>${rows}</ol>${more > 0 && html`<p class="note">and ${plural(more, 'more event')}, in the JSON report</p>`}</figure>`
}

function eventLine({ atMs, event, data, id }: StreamEvent, before: number, total: number, limit: number): Html {
  const wait = Math.max(0, atMs - before)
  const from = percent(before, total)
  const to = percent(atMs, total)
  const drawing = html`<svg class="lane" aria-hidden="true"><line class="wait" x1="${from}" x2="${to}" y1="50%" y2="50%"/><circle cx="${to}" cy="50%" r="4.5"/></svg>`
  const waited = wait < 0.05 ? 'at once' : `+${duration(wait)}`
  return html`<li><details><summary><span class="at">${duration(atMs)}</span><span class="waited">${waited}</span>${drawing}<span class="ev"><b>${clip(event, 80)}</b> <span class="dim">${clip(data.replace(/\s+/g, ' '), 90)}</span></span></summary><pre>\n${id !== undefined && html`<span class="dim">id: ${clip(id, 200)}</span>\n`}${clip(layOut(data), limit)}</pre></details></li>`
}

/** A place on the time axis that leaves room for the marks at both ends. */
function percent(ms: number, total: number): string {
  const share = Math.min(1, Math.max(0, ms / total))
  return `${(3 + share * 94).toFixed(1)}%`
}
