import type { Report, Verdict } from '../model/report.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { summaryTable } from '../summary-table.ts'
import { type Html, html } from './markup.ts'
import { verdictLabel, verdictMeanings } from './verdict-label.ts'

/** The verdict of the run, with its first word in large type, and the target. */
export function verdictHead({ verdict, target }: Report): Html {
  const [word, ...rest] = verdict.sentence.split(': ')
  return html`<header class="head exit-${verdict.exitCode}"><p class="brand">Touchstone conformance report <span class="dim">${[target.name, target.version].filter(Boolean).join(' ')}</span></p><h1><span class="word">${word}${rest.length > 0 && html`<span class="hidden">:</span>`}</span> ${rest.join(': ')}</h1><p class="dim">Exit code ${verdict.exitCode}</p><button id="theme" type="button" hidden>Dark theme</button></header>`
}

/** The number of requirements with each verdict and what the verdict means. There are no percentages. */
export function legend({ requirements }: Report): Html {
  const numbers = counts(requirements)
  const present = verdictOrder.filter((verdict) => numbers[verdict] > 0)
  const item = (verdict: Verdict) =>
    html`<li><a href="#?verdict=${verdict}"><b class="n">${numbers[verdict]}</b>${verdictLabel(verdict)}<span class="dim">${verdictMeanings[verdict]}</span></a></li>`
  return html`<section id="verdicts" aria-labelledby="verdicts-h"><h2 id="verdicts-h">Requirements by verdict</h2>${present.length === 0 ? html`<p>No requirement was tested.</p>` : html`<ul class="legend">${present.map(item)}</ul>`}${requirements.length > 0 && byLevel(requirements)}</section>`
}

function byLevel(requirements: Report['requirements']): Html {
  const { head, lines } = summaryTable(requirements)
  const cell = (text: string, column: number) =>
    column < 2 && text !== ''
      ? html`<th scope="row">${text}</th>`
      : html`<td${text === '0' && html` class="zero"`}>${text}</td>`
  return html`<details class="more"><summary>By area and level</summary><div class="scroll" tabindex="0" role="region" aria-label="Requirements by area and level"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${lines.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody></table></div></details>`
}
