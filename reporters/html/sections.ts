import { explain, type Findings, type Group } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { causeCard, idsBySection, requirementCard } from './card.ts'
import { renderWithin } from './limits.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { prose } from './text.ts'

/** A section of the page with an entry in the table of contents. */
export interface PageSection {
  id: string
  title: string
  count?: number
  content: Html
  /** Whether the section is closed at first. */
  isFolded?: boolean
  /** Whether evidence was left out. */
  isShortened?: boolean
}

/** Causes are open at first if there are at most this many. */
const maxOpenCauses = 2
/** Size of the failures, and of warnings and known failures, in bytes. */
const budgets = { failures: 50_000, minor: 30_000 }

/** The cause of every failure, with its evidence. */
export function failureSection(context: PageContext, { rootCauses }: Findings): PageSection[] {
  if (rootCauses.length === 0) return []
  const count = rootCauses.reduce((sum, { requirements }) => sum + requirements.length, 0)
  const isOpen = rootCauses.length <= maxOpenCauses
  const hint =
    rootCauses.length < count
      ? html`<p class="hint">${plural(count, 'requirement')} fail by ${plural(rootCauses.length, 'cause')}.</p>`
      : undefined
  const { content, isShortened } = renderWithin(
    budgets.failures,
    (limits) => html`${hint}${rootCauses.map((cause) => causeCard(context, cause, limits, isOpen))}`,
    { keepsExchanges: true },
  )
  return [{ id: 'failures', title: 'Failures', count, content, isShortened }]
}

/** Problems of the run and stale baseline entries. */
export function problemSections({ report: { problems, staleBaseline } }: PageContext): PageSection[] {
  return filled([
    {
      id: 'problems',
      title: 'Problems of the run',
      count: problems.length,
      content: html`<ul class="plain">${problems.map((problem) => html`<li class="alert">${prose(problem, 2000)}</li>`)}</ul>`,
    },
    {
      id: 'stale',
      title: 'Stale baseline entries',
      count: staleBaseline.length,
      content: html`<p class="hint">Remove these entries from the baseline: the requirement passes now, or the entry has expired.</p><ul class="plain">${staleBaseline.map(({ id, reason }) => html`<li class="alert"><code>${id}</code>: ${prose(reason, 500)}</li>`)}</ul>`,
    },
  ])
}

/** Requirements that do not pass and do not fail the run. */
export function otherSections(context: PageContext, findings: Findings): PageSection[] {
  const { rootCauses, inconclusive, otherBlocked, knownFailures, warnings, acceptedGaps } = findings
  const cards = (id: string, title: string, hint: string, requirements: readonly RequirementResult[]): PageSection => {
    const isFolded = rootCauses.length > 0 || requirements.length > maxOpenCauses
    const content = renderWithin(
      budgets.minor,
      (limits) =>
        html`<p class="hint">${hint}</p>${requirements.map((requirement) => requirementCard(context, requirement, limits, !isFolded))}`,
    )
    return { id, title, count: requirements.length, isFolded, ...content }
  }
  return filled([
    groups(
      'inconclusive',
      'Inconclusive',
      'Could not be tested. Each group shows what to change.',
      'To test',
      inconclusive,
    ),
    groups(
      'blocked',
      'Blocked by other requirements',
      'Not tested, because a known failure is in the way.',
      'By',
      otherBlocked,
    ),
    cards('warnings', 'Warnings', 'Requirements below MUST that fail; they do not change the exit code.', warnings),
    cards('known', 'Known failures', 'Listed in the baseline; they do not change the exit code.', knownFailures),
    {
      id: 'accepted',
      title: 'Accepted gaps',
      count: acceptedGaps.length,
      isFolded: true,
      content: html`<p class="hint">Not tested; the configuration accepts this.</p><ul class="plain">${acceptedGaps.map((requirement) => html`<li><code>${requirement.id}</code>: ${prose(requirement.reason ?? explain(requirement), 500)}</li>`)}</ul>`,
    },
  ])
}

function groups(id: string, title: string, hint: string, verb: string, all: readonly Group[]): PageSection {
  const count = all.reduce((sum, { requirements }) => sum + requirements.length, 0)
  const content = html`<p class="hint">${hint}</p>${all.map(({ cause, messages, requirements }) => html`<div class="unlock"><p><b>${verb}: ${prose(cause, 500)}</b> (${plural(requirements.length, 'requirement')})</p>${messages.map((text) => html`<p class="dim">${prose(text, 500)}</p>`)}<details class="fold"><summary>Show the requirements</summary>${idsBySection(requirements)}</details></div>`)}`
  return { id, title, count, content }
}

function filled(sections: readonly PageSection[]): PageSection[] {
  return sections.filter(({ count }) => count !== 0)
}
