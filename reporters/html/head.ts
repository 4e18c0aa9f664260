import type { Report, Verdict } from '../model/report.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { tally } from '../tally.ts'
import { type Html, html } from './markup.ts'
import { chip, meanings } from './verdict-words.ts'

/** The verdict of the run: its sentence, the word that decides large, and what was tested by which name. */
export function verdictHead({ verdict, target }: Report): Html {
  const [word, ...rest] = verdict.sentence.split(': ')
  return html`<header class="head exit-${verdict.exitCode}"><p class="brand">Touchstone conformance report <span class="dim">${[target.name, target.version].filter(Boolean).join(' ')}</span></p><h1><span class="word">${word}${rest.length > 0 && html`<span class="hidden">:</span>`}</span> ${rest.join(': ')}</h1><p class="dim">Exit code ${verdict.exitCode}</p><button id="theme" type="button" hidden>Dark theme</button></header>`
}

/** The number of requirements with each verdict, and what the verdict means; numbers only, never a share. */
export function legend({ requirements }: Report): Html {
  const found = counts(requirements)
  const present = verdictOrder.filter((verdict) => found[verdict] > 0)
  const item = (verdict: Verdict) =>
    html`<li><a href="#?verdict=${verdict}"><b class="n">${found[verdict]}</b>${chip(verdict)}<span class="dim">${meanings[verdict]}</span></a></li>`
  return html`<section id="verdicts" aria-labelledby="verdicts-h"><h2 id="verdicts-h">Requirements by verdict</h2>${present.length === 0 ? html`<p>No requirement was judged.</p>` : html`<ul class="legend">${present.map(item)}</ul>`}${requirements.length > 0 && byLevel(requirements)}</section>`
}

function byLevel(rows: Report['requirements']): Html {
  const { head, lines } = tally(rows)
  const cell = (text: string, column: number) =>
    column < 2 && text !== ''
      ? html`<th scope="row">${text}</th>`
      : html`<td${text === '0' && html` class="zero"`}>${text}</td>`
  return html`<details class="more"><summary>By area and level</summary><div class="scroll" tabindex="0" role="region" aria-label="Requirements by area and level"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${lines.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody></table></div></details>`
}
