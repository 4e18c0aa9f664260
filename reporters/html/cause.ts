import { alike, type Cause, causes } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { block, dotted, prose } from './prose.ts'
import { seen } from './seen.ts'

/** Most findings of one cause that are shown: further ones say the same again. */
const shownOfOneCause = 3

/**
 * In which ways a row went wrong: the first finding of each open, further ones of the same kind folded; `told` is the
 * message that stands above already.
 */
export function causeBlocks(context: PageContext, row: RequirementResult, told: string | undefined): Html {
  const all = alike(causes(row)).map((ways) => {
    const group = ways.flat()
    const [first, ...others] = group.slice(0, shownOfOneCause)
    const message = first?.outcome.failure?.message ?? first?.outcome.observation
    const more = group.length - shownOfOneCause
    return html`${first && html`<div class="cause">${where(first)}${message !== undefined && message !== told && html`<p class="message">${prose(message, Math.min(context.depth.text, 1000))}</p>`}${finding(context, first)}</div>`}${others.map((cause) => html`<details class="cause"><summary>The same: ${where(cause)}</summary>${finding(context, cause)}</details>`)}${more > 0 && html`<p class="note">and ${plural(more, 'more check')} met the same</p>`}`
  })
  return html`${all}`
}

function where({ outcome, times }: Cause): Html {
  return html`<span class="where">on <b>${outcome.endpoint}</b>, seen by <q>${outcome.check}</q>${times > 1 && ` ${times} times`}</span>`
}

function finding(context: PageContext, { outcome }: Cause): Html {
  const { failure, blockedBy, unlock, evidence } = outcome
  const { text } = context.depth
  return html`${blockedBy !== undefined && html`<p>Blocked by ${rowLink(context, blockedBy)}.</p>`}${unlock !== undefined && html`<p>To run it: <code>${unlock}</code></p>`}${expectations(failure, text)}${evidence !== undefined && seen(context, evidence)}`
}

/** The id of a row as a link to where it is shown; only its text where the report has no such row. */
export function rowLink({ anchors }: PageContext, id: string): Html {
  const anchor = anchors(id)
  return anchor === '' ? html`<code>${dotted(id)}</code>` : html`<a href="#${anchor}"><code>${dotted(id)}</code></a>`
}

function expectations(failure: { expected?: string; received?: string } | undefined, limit: number): Html | undefined {
  if (failure?.expected === undefined && failure?.received === undefined) return undefined
  return html`<div class="pair">${side('Expected', failure.expected, limit)}${side('Received', failure.received, limit)}</div>`
}

function side(label: string, text: string | undefined, limit: number): Html | undefined {
  return text === undefined ? undefined : html`<div><p class="label">${label}</p>${block(text, limit)}</div>`
}
