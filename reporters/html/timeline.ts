import type { Evidence, StreamEvent } from '../model/report.ts'
import { clip, plural } from '../model/text.ts'
import { duration, pathOf } from './format.ts'
import { formatJson } from './format-json.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

type Stream = NonNullable<Evidence['streams']>[number]

/**
 * The events of a stream, one per line: the arrival time, the wait since the previous event, and a drawing of both. It
 * shows whether events arrive one after another or all at once.
 */
export function timeline({ limits, report }: PageContext, { url, events }: Stream): Html {
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
