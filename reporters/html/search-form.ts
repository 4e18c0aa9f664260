import { counts, verdictOrder } from '../model/verdict.ts'
import { levels } from '../summary-table.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

/** The search field and the filters. They are hidden until the script of the page has started. */
export function searchForm({ report, areas, endpoints }: PageContext): Html {
  const { requirements } = report
  const numbers = counts(requirements)
  const verdicts = verdictOrder.filter((verdict) => numbers[verdict] > 0)
  const present = levels.filter((level) => requirements.some((requirement) => requirement.level === level))
  return html`<form id="search" role="search" aria-label="Requirements" hidden><div class="search"><label for="q">Search requirements</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, statement, cause" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div><details><summary>Filter</summary><div class="filters">${checkboxes('Verdict', 'verdict', verdicts)}${checkboxes('Level', 'level', present)}${areas.length > 1 && select('Area', 'area', areas)}${endpoints.length > 1 && select('Endpoint', 'endpoint', endpoints)}<button type="reset">Clear filters</button></div></details><p id="status" role="status"></p></form>`
}

function checkboxes(title: string, name: string, values: readonly string[]): Html {
  return html`<fieldset><legend>${title}</legend>${values.map((value) => html`<label><input type="checkbox" name="${name}" value="${value}"> ${value}</label>`)}</fieldset>`
}

function select(title: string, name: string, values: readonly string[]): Html {
  return html`<label class="choice">${title} <select name="${name}"><option value="">all</option>${values.map((value, index) => html`<option value="${index}">${value}</option>`)}</select></label>`
}
