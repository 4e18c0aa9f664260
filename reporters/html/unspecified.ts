import { causes, type Findings } from '../findings.ts'
import type { Outcome, RequirementResult } from '../model/report.ts'
import { filterAttributes } from './card.ts'
import { curlBlock, exchangeLine } from './exchange.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import type { PageSection } from './sections.ts'
import { breakableId, prose, textBlock } from './text.ts'

/** Maximum length of an observation in a summary line, in characters. */
const summaryLimit = 160

/** How the target behaves where the specification does not define the behavior. */
export function unspecifiedBehavior(context: PageContext, { observed }: Findings): PageSection[] {
  if (observed.length === 0) return []
  const content = html`<p class="hint">How this target behaves where the specification does not define the behavior. This does not change the verdict.</p>${observed.map((requirement) => item(context, requirement))}`
  return [{ id: 'unspecified', title: 'Unspecified behavior', count: observed.length, content }]
}

function item(context: PageContext, requirement: RequirementResult): Html {
  const { id, level, statement, section, interpretation } = requirement
  const observations = byObservation(requirement)
  const summaries = observations.map(
    ([text, outcomes]) =>
      html`<span class="observation">${observations.length > 1 && html`<b>${endpointNames(outcomes)}</b> `}<code>${text.slice(0, summaryLimit)}${text.length > summaryLimit && '…'}</code></span>`,
  )
  return html`<details class="row" id="${context.anchors(id)}"${filterAttributes(context, requirement)}><summary>${html`<span class="l">${level}</span>`}<span class="t"><code>${breakableId(id)}</code> ${prose(statement, 400)}</span><span class="observations">${summaries}</span></summary><div class="body"><p class="dim">${section}</p>${interpretation !== undefined && html`<p class="interpretation">${prose(interpretation)}</p>`}${observations.map(([text, outcomes]) => details(context, text, outcomes))}</div></details>`
}

function details(context: PageContext, text: string, outcomes: readonly Outcome[]): Html {
  const { limits } = context
  const [first] = outcomes
  const last = limits.requests ? first?.evidence?.exchanges.at(-1) : undefined
  return html`<p class="where">on <b>${endpointNames(outcomes)}</b> in the check <q>${first?.check ?? ''}</q></p>${text.length > summaryLimit && textBlock(text, limits.text)}${last !== undefined && html`<p class="x">${exchangeLine(context, last)}</p>${curlBlock(last.curl, 800)}`}`
}

function byObservation(requirement: RequirementResult): [string, Outcome[]][] {
  const outcomes = causes(requirement).map(({ outcome }) => outcome)
  return [...Map.groupBy(outcomes, ({ observation }) => observation ?? 'nothing recorded')]
}

function endpointNames(outcomes: readonly Outcome[]): string {
  return [...new Set(outcomes.map(({ endpoint }) => endpoint))].join(', ')
}
