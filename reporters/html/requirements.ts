import type { Outcome, RequirementResult } from '../model/report.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { rowData } from './card.ts'
import { rowLink } from './cause.ts'
import { inDocumentOrder } from './document-order.ts'
import { duration } from './format.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { dotted, prose } from './prose.ts'
import type { PageSection } from './sections.ts'
import { chip } from './verdict-words.ts'

/** All rows in the order of the document, grouped by section; rows of `elsewhere` are links to where they are shown. */
export function requirementList(context: PageContext, elsewhere: ReadonlySet<RequirementResult>): PageSection {
  const { requirements } = context.report
  const content = html`<p class="hint">In the order of the document. Open a requirement to see how it was judged.</p>${inDocumentOrder(requirements).map(([section, rows]) => group(context, section, rows, elsewhere))}`
  return { id: 'requirements', title: 'All requirements', count: requirements.length, content }
}

function group(
  context: PageContext,
  section: string,
  rows: readonly RequirementResult[],
  elsewhere: ReadonlySet<RequirementResult>,
): Html {
  const found = counts(rows)
  const numbers = verdictOrder.filter((verdict) => found[verdict] > 0).map((verdict) => `${found[verdict]} ${verdict}`)
  const path = section.split(' / ')
  const title = path.pop() ?? section
  return html`<section class="group"><h3>${path.length > 0 && html`<span class="dim">${path.join(' / ')} / </span>`}${title}</h3><p class="dim tally">${numbers.join(' · ')}</p>${rows.map((row) => (elsewhere.has(row) ? reference(context, row) : entry(context, row)))}</section>`
}

function reference(context: PageContext, row: RequirementResult): Html {
  return html`<a class="row" href="#${context.anchors(row.id)}"${rowData(context, row)}>${line(row)}</a>`
}

function entry(context: PageContext, row: RequirementResult): Html {
  return html`<details class="row" id="${context.anchors(row.id)}"${rowData(context, row)}><summary>${line(row)}</summary><div class="body">${row.interpretation !== undefined && html`<p class="interpretation">${prose(row.interpretation)}</p>`}${row.reason !== undefined && html`<p>${row.accepted === true ? 'Accepted: ' : ''}${prose(row.reason)}</p>`}${judgements(context, row)}</div></details>`
}

function line(row: RequirementResult): Html {
  return html`${chip(row.verdict)}<span class="l">${row.level}</span><span class="t"><code>${dotted(row.id)}</code> ${prose(row.statement, 400)}</span>`
}

/** Who judged the row where: a line for each check and verdict. */
function judgements(context: PageContext, { outcomes }: RequirementResult): Html {
  const same = Map.groupBy(outcomes, ({ check, verdict, failure, unlock, blockedBy }) =>
    JSON.stringify([check, verdict, failure?.message, unlock, blockedBy]),
  )
  return html`${[...same.values()].map((group) => judgement(context, group))}`
}

function judgement(context: PageContext, group: readonly Outcome[]): Html | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const places = group.map(({ endpoint, durationMs }) => `${endpoint} (${duration(durationMs)})`)
  const { check, verdict, failure, unlock, blockedBy } = first
  return html`<p>${verdict} on ${places.join(', ')}, by <q>${check}</q>${failure !== undefined && html`: ${prose(failure.message, context.depth.text)}`}${unlock !== undefined && html`<br>To run it: <code>${unlock}</code>`}${blockedBy !== undefined && html`<br>Blocked by ${rowLink(context, blockedBy)}`}</p>`
}
