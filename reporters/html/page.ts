import { groupFindings } from '../findings.ts'
import type { Report } from '../model/report.ts'
import { levels, tally } from '../summary.ts'
import { coverageSection } from './coverage.ts'
import { renderDocument } from './document.ts'
import * as assets from './generated/report.ts'
import { identity, verdictHead, verdictTable } from './head.ts'
import { type Html, html } from './markup.ts'
import { createContext, type HtmlOptions, type PageContext } from './page-context.ts'
import { embeddedReplays } from './replays.ts'
import { failureSection, otherSections, type PageSection, problemSections } from './sections.ts'
import { suiteSection } from './suite.ts'
import { requirementTables } from './tables.ts'

/**
 * Renders a report as a self-contained HTML file. Failures always have their deciding exchange; how much other evidence is
 * in the file depends on its size.
 *
 * @example await writeFile('report.html', renderHtml(report, { replay: (id) => ({ sh: `replay/${id}.sh`, har: `replay/${id}.har` }) }))
 */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  const { suite, target, verdict } = report
  const title = `${[target.name, target.version, verdict.result].filter(Boolean).join(' ')}: conformance report`
  const body = content(report, options)
  return renderDocument(assets, { title, generator: `touchstone ${suite.version}`, body })
}

function content(report: Report, options: HtmlOptions): Html {
  const findings = groupFindings(report)
  const context = createContext(report, options)
  const sections: PageSection[] = [
    ...problemSections(context),
    ...failureSection(context, findings),
    ...otherSections(context, findings),
    ...verdictTable(report),
    ...coverageSection(report),
    ...requirementTables(context),
    ...suiteSection(report),
  ]
  const isShortened = sections.some((section) => section.isShortened === true)
  return html`<a class="skip" href="#main">Skip to the results</a>
<div class="page">
${verdictHead(report)}
<aside aria-label="Search and contents">${searchForm(context)}${tableOfContents(sections)}</aside>
<main id="main" tabindex="-1">
${identity(report)}
${allPass(report) && html`<p class="good">No tested requirement fails.</p>`}
${sections.map(section)}
${isShortened && html`<p class="note shortened">Long evidence is truncated to keep this file small. The JSON report is complete.</p>`}
${embeddedReplays(report, findings.rootCauses)}
<p id="nothing" hidden>No requirement matches. <a href="#?">Show all</a></p>
</main>
<footer><p class="dim">Created by touchstone ${report.suite.version}. This file loads no other resources. It contains no credentials, but it contains texts that the target sent.</p></footer>
</div>`
}

function tableOfContents(sections: readonly { id: string; title: string; count?: number }[]): Html {
  return html`<nav aria-label="Contents"><ul>${sections.map(({ id, title, count }) => html`<li><a href="#${id}">${title}${count !== undefined && html` <span class="dim">${count}</span>`}</a></li>`)}</ul></nav>`
}

function section({ id, title, count, content, isFolded }: PageSection): Html {
  const heading = html`<h2>${title}${count !== undefined && html` <span class="n">${count}</span>`}</h2>`
  return isFolded
    ? html`<details class="section" id="${id}"><summary>${heading}</summary>${content}</details>\n`
    : html`<section class="section" id="${id}" aria-label="${title}">${heading}${content}</section>\n`
}

/** Whether at least one requirement passes and none fails, also none below MUST and none in the baseline. */
function allPass({ verdict: { exitCode }, requirements }: Report): boolean {
  const verdicts = new Set(requirements.map(({ verdict }) => verdict))
  const fails = (['warning', 'flaky', 'fail', 'expected-fail'] as const).some((verdict) => verdicts.has(verdict))
  return (exitCode === 0 || exitCode === 3) && verdicts.has('pass') && !fails
}

/** The search field and the filters. They are hidden until the script of the page has started. */
function searchForm({ report, areas, endpoints }: PageContext): Html {
  const { requirements } = report
  const verdicts = tally(requirements).map(([name]) => name)
  const present = levels.filter((level) => requirements.some((requirement) => requirement.level === level))
  return html`<form id="search" role="search" aria-label="Requirements" data-all="${requirements.length}" hidden><div class="search"><label for="q">Search requirements</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, statement" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div><p id="status" role="status"></p><details><summary>Filter</summary><div class="filters">${checkboxes('Verdict', 'verdict', verdicts)}${checkboxes('Level', 'level', present)}${areas.length > 1 && select('Area', 'area', areas)}${endpoints.length > 1 && select('Endpoint', 'endpoint', endpoints)}<button type="reset">Clear filters</button></div></details></form>`
}

function checkboxes(title: string, name: string, values: readonly string[]): Html {
  return html`<fieldset><legend>${title}</legend>${values.map((value) => html`<label><input type="checkbox" name="${name}" value="${value}"> ${value}</label>`)}</fieldset>`
}

function select(title: string, name: string, values: readonly string[]): Html {
  return html`<label class="choice">${title} <select name="${name}"><option value="">all</option>${values.map((value, index) => html`<option value="${index}">${value}</option>`)}</select></label>`
}
