import type { Report, ReportEndpoint } from '../model/report.ts'
import { clip } from '../model/text.ts'
import { shownEndpoints, summaryTable, tally } from '../summary.ts'
import { type Html, html } from './markup.ts'
import type { PageSection } from './sections.ts'
import { duration, instant, verdictMeanings } from './text.ts'

/** The verdict of the run, with its first word in large type, and the target. */
export function verdictHead(report: Report): Html {
  const { verdict, target } = report
  const [word, ...rest] = verdict.sentence.split(': ')
  return html`<header class="head exit-${verdict.exitCode}"><p class="brand">Touchstone conformance report <span class="dim">${[target.name, target.version].filter(Boolean).join(' ')}</span></p><h1><span class="word">${word}${rest.length > 0 && html`<span class="hidden">:</span>`}</span> ${rest.join(': ')}</h1>${verdictBar(report)}<button id="theme" type="button" hidden>Dark theme</button></header>`
}

/** Width of the smallest segment of the bar, in percent: one failure of a thousand requirements must be visible. */
const leastShare = 0.6

/** The number of requirements with each verdict, as one bar and as links that show them. There are no percentages. */
function verdictBar({ requirements }: Report): Html {
  if (requirements.length === 0) return html`<p class="legend">No requirement was tested.</p>`
  const numbers = tally(requirements)
  let start = 0
  const segments = numbers.map(([name, number]) => {
    const from = start
    start += Math.max(leastShare, (number / requirements.length) * 100)
    return html`<rect class="${name}" x="${from.toFixed(2)}%" width="${(start - from).toFixed(2)}%" height="100%"/>`
  })
  const links = numbers.map(
    ([name, number]) =>
      html`<li><a class="${name}" href="#?verdict=${name}" title="${verdictMeanings[name]}"><b>${number}</b> ${name}</a></li>`,
  )
  return html`<svg class="bar" aria-hidden="true">${segments}</svg><ul class="legend">${links}</ul>`
}

/** The number of requirements by area and level. */
export function verdictTable({ requirements }: Report): PageSection[] {
  if (requirements.length === 0) return []
  const { head, lines } = summaryTable(requirements)
  const cell = (text: string, column: number) =>
    column < 2 && text !== ''
      ? html`<th scope="row">${text}</th>`
      : html`<td${text === '0' && html` class="zero"`}>${text}</td>`
  const content = html`<div class="scroll" tabindex="0" role="region" aria-label="Requirements by area and level"><table class="numbers"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${lines.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody></table></div>`
  return [{ id: 'verdicts', title: 'By area and level', content }]
}

/** Endpoints that the folded section names. */
const maxNamedEndpoints = 5

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
    ['Exit code', String(report.verdict.exitCode)],
  ]
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )
  const all = shownEndpoints(report)
  const unnamed = all.length - maxNamedEndpoints
  const strip = [
    [target.name, target.version].filter(Boolean).join(' '),
    ...all.slice(0, maxNamedEndpoints).map(({ name, url }) => `${name} ${clip(url, 100)}`),
    ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
    `${suite.name} ${suite.version}`,
    instant(report.startedAt),
  ]
  return html`<details id="tested"><summary><h2>What was tested</h2> <span class="dim">${strip.join(' · ')}</span></summary><dl class="identity">${shown}</dl>${endpoints(all)}</details>`
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
