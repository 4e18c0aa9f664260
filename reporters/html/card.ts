import { explain } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { causeBlocks } from './causes.ts'
import { type Html, html } from './markup.ts'
import { endpointsOf, type PageContext } from './page-context.ts'
import { breakableId, prose, verdictLabel } from './text.ts'

/** Maximum length of a statement or cause in the summary of a card, in characters. */
const summaryLimit = 300

/** A requirement that did not pass, with all its details. Other sections of the page link to its card. */
export function card(context: PageContext, requirement: RequirementResult, open: boolean): Html {
  const { id, verdict, level, statement } = requirement
  const explanation = explain(requirement)
  const cause = withoutStatement(statement, explanation)
  const isShown = explanation.length <= summaryLimit
  return html`<details class="card ${verdict}" id="${context.anchors(id)}"${filterAttributes(context, requirement)}${open && html` open`}><summary><span class="tags">${verdictLabel(verdict)} <span class="l">${level}</span></span><h3>${breakableId(id)}</h3><span class="statement">${prose(statement, summaryLimit)}</span>${cause !== '' && html`<span class="cause-text">${prose(cause, summaryLimit)}</span>`}</summary><div class="body">${facts(context, requirement)}${causeBlocks(context, requirement, isShown ? explanation : undefined)}${replayLinks(context, requirement)}</div></details>`
}

/** Removes the statement from the start of a cause. */
function withoutStatement(statement: string, cause: string): string {
  const start = statement.replace(/\.$/, '')
  return cause.startsWith(start) ? cause.slice(start.length).replace(/^[.:]\s*/, '') : cause
}

/** The attributes of an element that the filters compare. */
export function filterAttributes({ endpoints, areas }: PageContext, requirement: RequirementResult): Html {
  const { verdict, level, area } = requirement
  const indexes = endpointsOf(requirement).map((name) => endpoints.indexOf(name))
  return html` data-v="${verdict}" data-l="${level}"${areas.length > 1 && html` data-a="${areas.indexOf(area)}"`}${endpoints.length > 1 && html` data-e="${indexes.join(' ')}"`}`
}

/** The statement is repeated here only if it was truncated in the summary. */
function facts(context: PageContext, requirement: RequirementResult): Html {
  const limit = context.limits.text
  const { statement, interpretation, section, level, area, reason } = requirement
  return html`<dl class="facts">${statement.length > summaryLimit && html`<dt>Requirement</dt><dd>${prose(statement, limit)}</dd>`}${interpretation !== undefined && html`<dt>Interpretation</dt><dd>${prose(interpretation, limit)}</dd>`}<dt>Section</dt><dd>${section} <span class="dim">(${level}, area ${area})</span></dd>${reason !== undefined && html`<dt>Reason</dt><dd>${prose(reason, limit)}</dd>`}<dt>Verdicts</dt><dd>${verdicts(requirement)}</dd></dl>`
}

function verdicts({ outcomes }: RequirementResult): string {
  const byEndpoint = Map.groupBy(outcomes, ({ endpoint }) => endpoint)
  const texts = [...byEndpoint].map(([endpoint, group]) => {
    const byVerdict = Map.groupBy(group, ({ verdict }) => verdict)
    const counts = [...byVerdict].map(([verdict, { length }]) => (length > 1 ? `${length} × ${verdict}` : verdict))
    return `${endpoint}: ${counts.join(', ')}`
  })
  return texts.join('; ') || 'no check was run'
}

function replayLinks({ replay }: PageContext, { id }: RequirementResult): Html | undefined {
  const files = replay?.(id)
  return (
    files &&
    html`<p class="replay">Replay: <a href="${files.sh}">shell script</a>, <a href="${files.har}">exchanges as HAR</a></p>`
  )
}
