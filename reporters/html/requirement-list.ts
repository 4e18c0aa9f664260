import type { Outcome, RequirementResult } from '../model/report.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { filterAttributes } from './card.ts'
import { requirementLink } from './causes.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import type { PageSection } from './sections.ts'
import { inSpecOrder } from './spec-order.ts'
import { breakableId, duration, prose, verdictLabel } from './text.ts'

/** All requirements in the order of the specification. Requirements in `shownAbove` link to the section that shows them. */
export function requirementList(context: PageContext, shownAbove: ReadonlySet<RequirementResult>): PageSection {
  const { requirements } = context.report
  const item = (requirement: RequirementResult) =>
    shownAbove.has(requirement) ? linkItem(context, requirement) : fullItem(context, requirement)
  const groups = inSpecOrder(requirements).map(([section, members]) => group(section, members, members.map(item)))
  const content = html`<p class="hint">In the order of the specification. Open a requirement to see how it was tested.</p>${groups}`
  return { id: 'requirements', title: 'All requirements', count: requirements.length, content }
}

function group(section: string, requirements: readonly RequirementResult[], items: readonly Html[]): Html {
  const numbers = counts(requirements)
  const present = verdictOrder.filter((verdict) => numbers[verdict] > 0)
  const path = section.split(' / ')
  const title = path.pop() ?? section
  return html`<section class="group"><h3>${path.length > 0 && html`<span class="dim">${path.join(' / ')} / </span>`}${title}</h3><p class="dim tally">${present.map((verdict) => `${numbers[verdict]} ${verdict}`).join(' · ')}</p>${items}</section>`
}

function linkItem(context: PageContext, requirement: RequirementResult): Html {
  return html`<a class="row" href="#${context.anchors(requirement.id)}"${filterAttributes(context, requirement)}>${summary(requirement)}</a>`
}

function fullItem(context: PageContext, requirement: RequirementResult): Html {
  const { id, interpretation, reason, accepted } = requirement
  return html`<details class="row" id="${context.anchors(id)}"${filterAttributes(context, requirement)}><summary>${summary(requirement)}</summary><div class="body">${interpretation !== undefined && html`<p class="interpretation">${prose(interpretation)}</p>`}${reason !== undefined && html`<p>${accepted === true ? 'Accepted: ' : ''}${prose(reason)}</p>`}${results(context, requirement)}</div></details>`
}

function summary({ id, verdict, level, statement }: RequirementResult): Html {
  return html`${verdictLabel(verdict)}<span class="l">${level}</span><span class="t"><code>${breakableId(id)}</code> ${prose(statement, 400)}</span>`
}

/** One line for each check and verdict. */
function results(context: PageContext, { outcomes }: RequirementResult): Html {
  const groups = Map.groupBy(outcomes, ({ check, verdict, failure, unlock, blockedBy }) =>
    JSON.stringify([check, verdict, failure?.message, unlock, blockedBy]),
  )
  return html`${[...groups.values()].map((group) => result(context, group))}`
}

function result(context: PageContext, outcomes: readonly Outcome[]): Html | undefined {
  const [first] = outcomes
  if (first === undefined) return undefined
  const endpoints = outcomes.map(({ endpoint, durationMs }) => `${endpoint} (${duration(durationMs)})`)
  const { check, verdict, failure, unlock, blockedBy } = first
  return html`<p>${verdict} on ${endpoints.join(', ')} in the check <q>${check}</q>${failure !== undefined && html`: ${prose(failure.message, context.limits.text)}`}${unlock !== undefined && html`<br>To test: ${prose(unlock)}`}${blockedBy !== undefined && html`<br>Blocked by ${requirementLink(context, blockedBy)}`}</p>`
}
