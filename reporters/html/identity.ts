import { shownEndpoints } from '../endpoints.ts'
import type { Report, ReportEndpoint } from '../model/report.ts'
import { clip } from '../model/text.ts'
import { duration, instant } from './format.ts'
import { type Html, html } from './markup.ts'

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
