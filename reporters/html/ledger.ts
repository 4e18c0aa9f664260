import { causes, type Findings } from '../findings.ts'
import type { Outcome, RequirementResult } from '../model/report.ts'
import { rowData } from './card.ts'
import { curlBlock, exchangeLine } from './exchange.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { block, dotted, prose } from './prose.ts'
import type { PageSection } from './sections.ts'

/** Longest observation in the line of a point, in characters. */
const lineLimit = 160

/** What this target does where the document is silent: nothing here is right or wrong. */
export function silenceLedger(context: PageContext, { observed }: Findings): PageSection[] {
  if (observed.length === 0) return []
  const content = html`<p class="hint">What this target does where the document leaves it open. Nothing here is right or wrong, and nothing counts.</p>${observed.map((row) => point(context, row))}`
  return [{ id: 'silence', title: 'Silence ledger', count: observed.length, content }]
}

function point(context: PageContext, row: RequirementResult): Html {
  const seen = byObservation(row)
  const line = seen.map(
    ([text, of]) =>
      html`<span class="seen">${seen.length > 1 && html`<b>${names(of)}</b> `}<code>${text.slice(0, lineLimit)}${text.length > lineLimit && '…'}</code></span>`,
  )
  return html`<details class="row" id="${context.anchors(row.id)}"${rowData(context, row)}><summary>${html`<span class="l">${row.level}</span>`}<span class="t"><code>${dotted(row.id)}</code> ${prose(row.statement, 400)}</span><span class="seens">${line}</span></summary><div class="body"><p class="dim">${row.section}</p>${row.interpretation !== undefined && html`<p class="interpretation">${prose(row.interpretation)}</p>`}${seen.map(([text, of]) => observation(context, text, of))}</div></details>`
}

function observation(context: PageContext, text: string, of: readonly Outcome[]): Html {
  const { depth } = context
  const last = depth.requests ? of[0]?.evidence?.exchanges.at(-1) : undefined
  return html`<p class="where">on <b>${names(of)}</b>, seen by <q>${of[0]?.check ?? ''}</q></p>${text.length > lineLimit && block(text, depth.text)}${last !== undefined && html`<p class="x">${exchangeLine(context, last)}</p>${curlBlock(last.curl, 800)}`}`
}

/** What was observed, each text with the outcomes that met it. */
function byObservation(row: RequirementResult): [string, Outcome[]][] {
  const outcomes = causes(row).map(({ outcome }) => outcome)
  return [...Map.groupBy(outcomes, ({ observation }) => observation ?? 'nothing noted')]
}

function names(outcomes: readonly Outcome[]): string {
  return [...new Set(outcomes.map(({ endpoint }) => endpoint))].join(', ')
}
