import { causes } from '../causes.ts'
import { explain } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { oneLine } from '../model/text.ts'
import { isAcceptedGap } from '../model/verdict.ts'
import { tally } from '../summary.ts'
import { type Html, html, verbatim } from './markup.ts'
import { endpointsOf, type PageContext } from './page-context.ts'
import type { PageSection } from './sections.ts'
import { inSpecOrder } from './spec-order.ts'
import { prose } from './text.ts'

/** Maximum length of a statement and of a note in a table, in characters. */
const textLimit = 400
const noteLimit = 120

/** All requirements in the order of the specification, in two sections. */
export function requirementTables(context: PageContext): PageSection[] {
  const { requirements } = context.report
  const observed = requirements.filter(({ verdict }) => verdict === 'observed')
  const others = requirements.filter(({ verdict }) => verdict !== 'observed')
  return [
    tableSection(
      context,
      'unspecified',
      'Unspecified behavior',
      'How this target behaves where the specification does not define the behavior. This does not change the verdict.',
      observed,
    ),
    tableSection(
      context,
      'requirements',
      observed.length > 0 ? 'All other requirements' : 'All requirements',
      'In the order of the specification.',
      others,
    ),
  ].filter(({ count }) => count !== 0)
}

/**
 * A table that browsers parse only when it is needed: the script of the page creates it from the text of `noscript` when
 * the section is opened or searched. Without scripts, it is a plain table.
 */
function tableSection(
  context: PageContext,
  id: string,
  title: string,
  hint: string,
  requirements: readonly RequirementResult[],
): PageSection {
  const groups = inSpecOrder(requirements).flatMap(([section, members]) =>
    [...Map.groupBy(members, ({ area }) => area)].map(([area, group]) => tableGroup(context, section, area, group)),
  )
  const content = html`<p class="hint">${hint} <code>touchstone explain ID</code> shows how a requirement is read and tested.</p><noscript><table class="list">${verbatim(groups.map(({ markup }) => markup).join(''))}</table></noscript>`
  return { id, title, count: requirements.length, content, isFolded: true }
}

/** The cells of a row: verdict, level, id with statement, note. End tags that HTML does not need are left out. */
function tableGroup(
  context: PageContext,
  section: string,
  area: string,
  requirements: readonly RequirementResult[],
): Html {
  const { areas, endpoints } = context
  const numbers = tally(requirements).map(([name, number]) => `${number} ${name}`)
  const row = (requirement: RequirementResult) => {
    const { id, level, statement } = requirement
    const indexes = endpointsOf(requirement).map((name) => endpoints.indexOf(name))
    const remark = note(requirement)
    return html`<tr${indexes.length < endpoints.length && html` data-e="${indexes.join(' ')}"`}><td>${isAcceptedGap(requirement) ? 'accepted' : requirement.verdict}<td>${level}<td><code>${id}</code> ${prose(statement, textLimit)}${remark && html`<br><small>${remark}</small>`}\n`
  }
  return html`<tbody data-a="${areas.indexOf(area)}"><tr><th colspan="3" scope="rowgroup">${section} <span class="dim">${numbers.join(' · ')}</span>\n${requirements.map(row)}</tbody>`
}

/** What a reader cannot learn from the verdict: what was observed, how the requirement fails, or why it was not tested. */
function note(requirement: RequirementResult): Html | undefined {
  const { verdict, reason, accepted } = requirement
  if (accepted === true) return prose(reason ?? '', textLimit)
  if (verdict === 'observed') {
    const texts = Map.groupBy(causes(requirement), ({ outcome }) => outcome.observation ?? 'nothing recorded')
    return html`${[...texts].map(([text, group]) => html`${texts.size > 1 && html`<b>${[...new Set(group.map(({ outcome }) => outcome.endpoint))].join(', ')}</b> `}<code>${oneLine(text, noteLimit)}</code> `)}`
  }
  if (verdict === 'pass' || verdict === 'not-applicable') return undefined
  if (reason !== undefined) return prose(reason, textLimit)
  // The statement says what was expected.
  const text = explain(requirement).replace(/^expected .*?, received /s, 'received ')
  return prose(oneLine(text, noteLimit), textLimit)
}
