import { differs, type Matrix } from '../matrix/matrix.ts'
import { plural } from '../model/text.ts'
import { verdictOrder } from '../model/verdict.ts'
import type { VerdictOrAccepted } from '../summary.ts'
import { renderDocument } from './document.ts'
import * as assets from './generated/matrix.ts'
import { type Html, html, verbatim } from './markup.ts'
import { verdictMeanings } from './text.ts'

/** Renders a matrix as a self-contained HTML file. Its script creates the table from the embedded data. */
export function renderMatrix(matrix: Matrix): string {
  const servers = plural(matrix.servers.length, 'server')
  return renderDocument(assets, {
    title: `${servers}: conformance matrix`,
    generator: 'touchstone',
    body: content(matrix, servers),
  })
}

/** The files of a matrix by name. */
export function matrixFiles(matrix: Matrix): Record<string, string> {
  return { 'matrix.html': renderMatrix(matrix), 'matrix.json': `${JSON.stringify(matrix)}\n` }
}

function content(matrix: Matrix, servers: string): Html {
  const different = matrix.requirements.filter(differs).length
  // `<` occurs only in JSON strings, where it may be escaped. Without it, the text cannot close the script element.
  const data = JSON.stringify(matrix).replaceAll('<', '\\u003c')
  return html`<a class="skip" href="#main">Skip to the results</a>
<div class="page">
<header class="head"><p class="brand">Touchstone conformance matrix</p><h1><span class="word">${servers}</span> ${plural(matrix.requirements.length, 'requirement')}, ${different} with different results</h1><button id="theme" type="button" hidden>Dark theme</button></header>
<aside aria-label="Search and your report">${searchForm()}${dropZone()}</aside>
<main id="main" tabindex="-1">
<div id="matrix" class="scroll" tabindex="0" role="region" aria-label="Requirements by server"><p>This page needs JavaScript. <code>matrix.json</code> next to it has the same data.</p></div>
<p id="nothing" hidden>No requirement matches. <a href="#?">Show all</a></p>
</main>
<footer><p class="dim">This file loads no other resources. It contains no credentials, but it contains texts that the servers sent.</p></footer>
</div>
<script type="application/json" id="data">${verbatim(data)}</script>`
}

/** The search field and the filters. They are hidden until the script of the page has started. */
function searchForm(): Html {
  const verdicts: VerdictOrAccepted[] = [...verdictOrder, 'accepted']
  const boxes = verdicts.map(
    (name) =>
      html`<label title="${verdictMeanings[name]}"><input type="checkbox" name="verdict" value="${name}"> <span class="v ${name}">${name}</span></label>`,
  )
  return html`<form id="search" role="search" aria-label="Requirements" hidden><div class="search"><label for="q">Search requirements</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, statement, response" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div><p id="status" role="status"></p><fieldset><label><input type="checkbox" name="rows" value="differ"> Only rows that differ</label></fieldset><details><summary>Verdict</summary><div class="filters"><fieldset><legend>Verdict of at least one server</legend>${boxes}</fieldset></div></details><button type="reset">Clear filters</button></form>`
}

function dropZone(): Html {
  return html`<details id="drop" hidden><summary>Compare your report</summary><label for="file">Drop the <code>report.json</code> of your server on this page, or choose it.</label><input id="file" type="file" accept=".json,application/json" aria-describedby="drop-hint" multiple><p class="dim" id="drop-hint">Your browser reads the file and does not upload it.</p><p id="drop-status" role="status"></p></details>`
}
