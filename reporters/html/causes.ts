import { type Cause, causes, groupCauses } from '../findings.ts'
import type { Failure, RequirementResult } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { evidenceBlock } from './evidence.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { breakableId, prose, textBlock } from './text.ts'

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
