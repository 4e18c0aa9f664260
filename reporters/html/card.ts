import { because } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { causeBlocks } from './cause.ts'
import { type Html, html } from './markup.ts'
import { endpointsOf, type PageContext } from './page-context.ts'
import { dotted, prose } from './prose.ts'
import { chip } from './verdict-words.ts'

/** Longest statement or cause in the head of a card, in characters. */
const headLimit = 300

/** A row that did not pass, with all that a maintainer needs to judge it; the one place of the row in the page. */
export function card(context: PageContext, row: RequirementResult, open: boolean): Html {
  const told = because(row)
  const cause = beyond(row.statement, told)
  const isWhole = told.length <= headLimit
  return html`<details class="card ${row.verdict}" id="${context.anchors(row.id)}"${rowData(context, row)}${open && html` open`}><summary><span class="tags">${chip(row.verdict)} <span class="l">${row.level}</span></span><h3>${dotted(row.id)}</h3><span class="why">${prose(row.statement, headLimit)}</span>${cause !== '' && html`<span class="told">${prose(cause, headLimit)}</span>`}</summary><div class="body">${rowFacts(context, row)}${causeBlocks(context, row, isWhole ? told : undefined)}${replayLinks(context, row)}</div></details>`
}

/** What a cause says beyond the statement that it may begin with. */
function beyond(statement: string, cause: string): string {
  const start = statement.replace(/\.$/, '')
  return cause.startsWith(start) ? cause.slice(start.length).replace(/^[.:]\s*/, '') : cause
}

/** What a filter compares, as attributes of the element that stands for a row. */
export function rowData({ endpoints, areas }: PageContext, row: RequirementResult): Html {
  const places = endpointsOf(row).map((name) => endpoints.indexOf(name))
  return html` data-v="${row.verdict}" data-l="${row.level}"${areas.length > 1 && html` data-a="${areas.indexOf(row.area)}"`}${endpoints.length > 1 && html` data-e="${places.join(' ')}"`}`
}

/** Reading, section and reason of a row, and its statement where the head had no room for it. */
function rowFacts(context: PageContext, row: RequirementResult): Html {
  const { text } = context.depth
  return html`<dl class="facts">${row.statement.length > headLimit && html`<dt>Requirement</dt><dd>${prose(row.statement, text)}</dd>`}${row.interpretation !== undefined && html`<dt>Reading</dt><dd>${prose(row.interpretation, text)}</dd>`}<dt>Section</dt><dd>${row.section} <span class="dim">(${row.level}, area ${row.area})</span></dd>${row.reason !== undefined && html`<dt>Reason</dt><dd>${prose(row.reason, text)}</dd>`}<dt>Verdicts</dt><dd>${verdicts(row)}</dd></dl>`
}

function verdicts(row: RequirementResult): string {
  const byEndpoint = Map.groupBy(row.outcomes, ({ endpoint }) => endpoint)
  const told = [...byEndpoint].map(([endpoint, outcomes]) => {
    const times = Map.groupBy(outcomes, ({ verdict }) => verdict)
    return `${endpoint}: ${[...times].map(([verdict, same]) => (same.length > 1 ? `${same.length} × ${verdict}` : verdict)).join(', ')}`
  })
  return told.join('; ') || 'no check ran'
}

function replayLinks({ replay }: PageContext, row: RequirementResult): Html | undefined {
  const files = replay?.(row.id)
  return (
    files &&
    html`<p class="replay">Replay: <a href="${files.sh}">shell script</a>, <a href="${files.har}">exchanges as HAR</a></p>`
  )
}
