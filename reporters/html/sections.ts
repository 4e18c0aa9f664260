import { causes } from '../causes.ts'
import { explain, type Findings, type Group } from '../findings.ts'
import type { Outcome, RequirementResult } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { card, filterAttributes } from './card.ts'
import { requirementLink } from './causes.ts'
import { curlBlock, exchangeLine } from './exchange.ts'
import { minorLimits } from './limits.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { breakableId, prose, textBlock } from './text.ts'

/** A section of the page with an entry in the table of contents. */
export interface PageSection {
  id: string
  title: string
  count?: number
  content: Html
}

/** Failures are open at first if there are at most this many. */
const maxOpenFailures = 6

/** Problems of the run and stale baseline entries. */
export function problemSections(context: PageContext): PageSection[] {
  const { problems, staleBaseline } = context.report
  return filled([
    {
      id: 'problems',
      title: 'Problems of the run',
      items: problems,
      content: html`<ul class="plain">${problems.map((problem) => html`<li class="alert">${prose(problem, 2000)}</li>`)}</ul>`,
    },
    {
      id: 'stale',
      title: 'Stale baseline entries',
      items: staleBaseline,
      content: html`<p class="hint">Remove these entries from the baseline: the requirement passes now, or the entry has expired.</p><ul class="plain">${staleBaseline.map(({ id, reason }) => html`<li class="alert">${requirementLink(context, id)}: ${prose(reason, 500)}</li>`)}</ul>`,
    },
  ])
}

/** The requirements that did not pass, each with its evidence. */
export function findingSections(context: PageContext, findings: Findings): PageSection[] {
  const { rootCauses, knownFailures, warnings } = findings
  const failures = rootCauses.flatMap(({ requirements }) => requirements)
  const blocked = [
    ...rootCauses.flatMap((cause) => cause.blocked),
    ...findings.otherBlocked.flatMap(({ requirements }) => requirements),
  ]
  const minor = { ...context, limits: minorLimits(context.limits) }
  const areOpen = failures.length <= maxOpenFailures
  const cards = (id: string, title: string, hint: string, requirements: readonly RequirementResult[]): Draft => ({
    id,
    title,
    items: requirements,
    content: html`<p class="hint">${hint}</p>${requirements.map((requirement) => (id === 'failures' ? card(context, requirement, areOpen) : card(minor, requirement, false)))}`,
  })
  return filled([
    cards('failures', 'Failures', 'Each MUST that fails, and errors in Touchstone.', failures),
    cards('known', 'Known failures', 'Listed in the baseline; they do not change the exit code.', knownFailures),
    cards('warnings', 'Warnings', 'Requirements below MUST that fail; they do not change the exit code.', warnings),
    cards('blocked', 'Blocked', 'Not tested, because a requirement that they depend on fails.', blocked),
  ])
}

/** The requirements that were not tested: inconclusive ones, and gaps that the configuration accepts. */
export function gapSections(context: PageContext, { inconclusive, acceptedGaps }: Findings): PageSection[] {
  return filled([
    {
      id: 'inconclusive',
      title: 'Inconclusive',
      items: inconclusive.flatMap(({ requirements }) => requirements),
      content: html`<p class="hint">Could not be tested. Each group shows what to change.</p>${inconclusive.map((group) => inconclusiveGroup(context, group))}`,
    },
    {
      id: 'accepted',
      title: 'Accepted gaps',
      items: acceptedGaps,
      content: html`<p class="hint">Not tested; the configuration accepts this.</p><ul class="plain">${acceptedGaps.map((requirement) => html`<li>${requirementLink(context, requirement.id)}: ${prose(requirement.reason ?? explain(requirement), 500)}</li>`)}</ul>`,
    },
  ])
}

function inconclusiveGroup(context: PageContext, { cause, messages, requirements }: Group): Html {
  return html`<div class="unlock"><h3>To test ${plural(requirements.length, 'requirement')}: ${prose(cause, 500)}</h3>${messages.map((text) => html`<p class="dim">${prose(text, 500)}</p>`)}<ul class="ids">${requirements.map(({ id, level }) => html`<li>${requirementLink(context, id)}${level !== 'MUST' && html` <span class="l">${level}</span>`}</li>`)}</ul></div>`
}

interface Draft {
  id: string
  title: string
  items: readonly unknown[]
  content: Html
}

/** The sections that have items. */
function filled(drafts: readonly Draft[]): PageSection[] {
  return drafts
    .filter(({ items }) => items.length > 0)
    .map(({ id, title, items, content }) => ({ id, title, count: items.length, content }))
}

/** Maximum length of an observation in a summary line, in characters. */
const summaryLimit = 160

/** How the target behaves where the specification does not define the behavior. */
export function unspecifiedBehavior(context: PageContext, { observed }: Findings): PageSection[] {
  if (observed.length === 0) return []
  const content = html`<p class="hint">How this target behaves where the specification does not define the behavior. This does not change the verdict.</p>${observed.map((requirement) => item(context, requirement))}`
  return [{ id: 'unspecified', title: 'Unspecified behavior', count: observed.length, content }]
}

function item(context: PageContext, requirement: RequirementResult): Html {
  const { id, level, statement, section, interpretation } = requirement
  const observations = byObservation(requirement)
  const summaries = observations.map(
    ([text, outcomes]) =>
      html`<span class="observation">${observations.length > 1 && html`<b>${endpointNames(outcomes)}</b> `}<code>${text.slice(0, summaryLimit)}${text.length > summaryLimit && '…'}</code></span>`,
  )
  return html`<details class="row" id="${context.anchors(id)}"${filterAttributes(context, requirement)}><summary>${html`<span class="l">${level}</span>`}<span class="t"><code>${breakableId(id)}</code> ${prose(statement, 400)}</span><span class="observations">${summaries}</span></summary><div class="body"><p class="dim">${section}</p>${interpretation !== undefined && html`<p class="interpretation">${prose(interpretation)}</p>`}${observations.map(([text, outcomes]) => details(context, text, outcomes))}</div></details>`
}

function details(context: PageContext, text: string, outcomes: readonly Outcome[]): Html {
  const { limits } = context
  const [first] = outcomes
  const last = limits.requests ? first?.evidence?.exchanges.at(-1) : undefined
  return html`<p class="where">on <b>${endpointNames(outcomes)}</b> in the check <q>${first?.check ?? ''}</q></p>${text.length > summaryLimit && textBlock(text, limits.text)}${last !== undefined && html`<p class="x">${exchangeLine(context, last)}</p>${curlBlock(last.curl, 800)}`}`
}

function byObservation(requirement: RequirementResult): [string, Outcome[]][] {
  const outcomes = causes(requirement).map(({ outcome }) => outcome)
  return [...Map.groupBy(outcomes, ({ observation }) => observation ?? 'nothing recorded')]
}

function endpointNames(outcomes: readonly Outcome[]): string {
  return [...new Set(outcomes.map(({ endpoint }) => endpoint))].join(', ')
}
