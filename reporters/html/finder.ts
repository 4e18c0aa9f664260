import type { Level } from '../model/report.ts'
import { counts, verdictOrder } from '../model/verdict.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED']

/** Search and filters; hidden until the page's script has made them work. */
export function finder({ report, areas, endpoints }: PageContext): Html {
  const rows = report.requirements
  const found = counts(rows)
  const verdicts = verdictOrder.filter((verdict) => found[verdict] > 0)
  const present = levels.filter((level) => rows.some((row) => row.level === level))
  return html`<form id="finder" role="search" aria-label="Requirements" hidden><div class="search"><label for="q">Search requirements</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, statement, cause" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div><details><summary>Filter</summary><div class="filters">${boxes('Verdict', 'verdict', verdicts)}${boxes('Level', 'level', present)}${areas.length > 1 && choice('Area', 'area', areas)}${endpoints.length > 1 && choice('Endpoint', 'endpoint', endpoints)}<button type="reset">Clear filters</button></div></details><p id="status" role="status"></p></form>`
}

function boxes(title: string, name: string, values: readonly string[]): Html {
  return html`<fieldset><legend>${title}</legend>${values.map((value) => html`<label><input type="checkbox" name="${name}" value="${value}"> ${value}</label>`)}</fieldset>`
}

function choice(title: string, name: string, values: readonly string[]): Html {
  return html`<label class="choice">${title} <select name="${name}"><option value="">all</option>${values.map((value, index) => html`<option value="${index}">${value}</option>`)}</select></label>`
}

/** The parts of a page that have a heading, as its table of contents. */
export function contents(sections: readonly { id: string; title: string; count?: number }[]): Html {
  return html`<nav aria-label="Contents"><ul>${sections.map(({ id, title, count }) => html`<li><a href="#${id}">${title}${count !== undefined && html` <span class="dim">${count}</span>`}</a></li>`)}</ul></nav>`
}
