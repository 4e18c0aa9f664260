import type { Report, ReportEndpoint, Verdict } from '../model/report.ts'
import { clip } from '../model/text.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { shownEndpoints, summaryTable } from '../summary.ts'
import { type Html, html } from './markup.ts'
import { duration, instant, verdictLabel, verdictMeanings } from './text.ts'

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

/** What was tested, with which suite, and when: what two runs must have in common to be comparable. */
export function identity(report: Report): Html {
  const { suite, target } = report
  const facts: [string, string | Html | undefined][] = [
    ['Target', [target.name, target.version].filter(Boolean).join(' ')],
    ['Started', html`<time datetime="${report.startedAt}">${instant(report.startedAt)}</time>`],
    ['Duration', duration(report.durationMs)],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Catalog', html`<code title="${suite.catalogHash}">${suite.catalogHash.slice(0, 12)}</code>`],
    ['Seed', html`<code>${clip(suite.seed, 500)}</code>`],
    ['Repeats', report.repeat > 1 ? String(report.repeat) : 'none'],
    ['Selection', report.selection ?? (report.shard === undefined ? 'all requirements' : undefined)],
    ['Shard', report.shard],
    ['Left out', report.notRun],
    ['Interrupted', report.interrupted],
  ]
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )
  return html`<section id="tested" aria-labelledby="tested-h"><h2 id="tested-h">What was tested</h2><dl class="identity">${shown}</dl>${endpoints(shownEndpoints(report))}</section>`
}

function endpoints(all: readonly ReportEndpoint[]): Html {
  if (all.length === 0) return html`<p>The target has no endpoint.</p>`
  return html`<ul class="endpoints">${all.map(endpoint)}</ul>`
}

function endpoint({ name, url, headers, profiles, testGraphsRevision }: ReportEndpoint): Html {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`)
  const facts = [
    profiles.length > 0 && html`<dt>Profiles</dt><dd>${profiles.join(', ')}</dd>`,
    html`<dt>Test graphs</dt><dd>${testGraphsRevision === undefined ? 'not deployed' : `revision ${testGraphsRevision}`}</dd>`,
    lines.length > 0 && html`<dt>Headers</dt><dd><code>${clip(lines.join('\n'), 1000)}</code></dd>`,
  ]
  return html`<li><b>${name}</b> <code class="url">${clip(url, 500)}</code><dl>${facts}</dl></li>`
}
