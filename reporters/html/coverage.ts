import type { Report } from '../model/report.ts'
import { type Html, html } from './markup.ts'
import type { PageSection } from './sections.ts'

/** A table with the number of statements of each section of the specification that the run tested. */
export function coverageSection({ specification = [] }: Report): PageSection[] {
  if (specification.length === 0) return []
  const lines = specification.map(
    ({ section, statements, undecidable, undecided }): Line => ({
      section,
      numbers: [statements, statements - undecidable - undecided.length, undecided.length, undecidable],
    }),
  )
  const total = [0, 1, 2, 3].map((column) => lines.reduce((sum, { numbers }) => sum + (numbers[column] ?? 0), 0))
  const head = ['Section', 'Statements', 'Tested in this run', 'Not tested in this run', 'Not testable']
  const content = html`<p class="hint">Every sentence, table cell and rule of the specification is a statement. It was tested if at least one of its requirements passed or failed. <code>touchstone explain SECTION</code> lists the statements of a section with their requirements.</p><div class="scroll" tabindex="0" role="region" aria-label="Statements by section of the specification"><table class="numbers"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${[...lines, { section: 'All sections', numbers: total }].map(row)}</tbody></table></div>`
  return [{ id: 'specification', title: 'Coverage of the specification', content, isFolded: true }]
}

interface Line {
  readonly section: string
  readonly numbers: readonly number[]
}

function row({ section, numbers }: Line): Html {
  return html`<tr><th scope="row">${section}</th>${numbers.map((number) => html`<td${number === 0 && html` class="zero"`}>${number}</td>`)}</tr>`
}
