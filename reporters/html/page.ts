import { createHash } from 'node:crypto'
import { findings } from '../findings.ts'
import type { Report, RequirementResult } from '../model/report.ts'
import { contents, finder } from './finder.ts'
import { script, style } from './generated/assets.ts'
import { legend, verdictHead } from './head.ts'
import { identity } from './identity.ts'
import { silenceLedger } from './ledger.ts'
import { type Html, html, verbatim } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { requirementList } from './requirements.ts'
import { cards, gaps, type PageSection, troubles } from './sections.ts'

/** The whole page. Nothing in it loads anything; the policy in its head holds even where escaping should fail. */
export function page(context: PageContext, shortened: boolean): Html {
  const { report } = context
  const found = findings(report)
  const elsewhere = new Set<RequirementResult>([
    ...found.failures,
    ...found.known,
    ...found.warned,
    ...found.blocked.flatMap(({ rows }) => rows),
    ...found.observed,
  ])
  const sections: PageSection[] = [
    ...troubles(context),
    ...cards(context, found),
    ...gaps(context, found),
    ...silenceLedger(context, found),
    requirementList(context, elsewhere),
  ]
  const named = [{ id: 'verdicts', title: 'Verdicts' }, { id: 'tested', title: 'What was tested' }, ...sections]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="touchstone ${report.suite.version}">
<title>${[report.target.name, report.target.version, report.verdict.result].filter(Boolean).join(' ')}: conformance report</title>
<style>${verbatim(style)}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the findings</a>
<div class="page">
${verdictHead(report)}
<aside aria-label="Find your way">${contents(named)}${finder(context)}</aside>
<main id="main" tabindex="-1">
${legend(report)}
${identity(report)}
${isGood(report) && html`<p class="good">Nothing that was judged fails.</p>`}
${shortened && html`<p class="note shortened">Evidence is shortened in this file to keep it under 1 MB; the JSON report holds all of it.</p>`}
${sections.map(section)}
<p id="nothing" hidden>No requirement matches. <a href="#?">Show all</a></p>
</main>
<footer><p class="dim">Written by touchstone ${report.suite.version}. This file loads nothing from anywhere; credentials are left out of it, texts that the target sent are not.</p></footer>
</div>
<script>${verbatim(script)}</script>
</body>
</html>
`
}

function section({ id, title, count, content }: PageSection): Html {
  return html`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${title}${count !== undefined && html` <span class="n">${count}</span>`}</h2>
${content}</section>
`
}

/** Whether there is something to be glad of: requirements hold, and nothing counts against the target or the run. */
function isGood({ verdict, requirements }: Report): boolean {
  return (verdict.exitCode === 0 || verdict.exitCode === 3) && requirements.some((row) => row.verdict === 'pass')
}

function policy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`
}
