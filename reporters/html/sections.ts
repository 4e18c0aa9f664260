import { because, type Findings, type Group } from '../findings.ts'
import type { RequirementResult } from '../model/report.ts'
import { plural } from '../model/text.ts'
import { card } from './card.ts'
import { rowLink } from './cause.ts'
import { lighter } from './depth.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { prose } from './prose.ts'

/** A part of the page that its table of contents names. */
export interface PageSection {
  id: string
  title: string
  count?: number
  content: Html
}

/** Failures up to this number are open from the start. */
const openFailures = 6

/** What went wrong around the run: problems and entries of the baseline that no longer hold. */
export function troubles(context: PageContext): PageSection[] {
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
      content: html`<p class="hint">Remove these entries from the baseline: each stands for a failure that is mended, or is past its expiry.</p><ul class="plain">${staleBaseline.map(({ id, reason }) => html`<li class="alert">${rowLink(context, id)}: ${prose(reason, 500)}</li>`)}</ul>`,
    },
  ])
}

/** The rows that did not pass, each with its evidence. */
export function cards(context: PageContext, found: Findings): PageSection[] {
  const blocked = found.blocked.flatMap(({ rows }) => rows)
  const light = { ...context, depth: lighter(context.depth) }
  const open = found.failures.length <= openFailures
  return filled([
    group('failures', 'Failures', 'What makes the run not conformant, and faults of the suite itself.', found.failures),
    group('known', 'Known failures', 'In the baseline of the target: they change no exit code.', found.known),
    group(
      'advised',
      'Advised, not met',
      'Points that a server should meet, and may have reasons not to.',
      found.warned,
    ),
    group('blocked', 'Blocked', 'Not judged, because a requirement that they need does not hold.', blocked),
  ])

  function group(id: string, title: string, hint: string, rows: readonly RequirementResult[]): Draft {
    return {
      id,
      title,
      items: rows,
      content: html`<p class="hint">${hint}</p>${rows.map((row) => (id === 'failures' ? card(context, row, open) : card(light, row, false)))}`,
    }
  }
}

/** What was not judged: by the setting that would unlock it, and what the configuration accepts. */
export function gaps(context: PageContext, found: Findings): PageSection[] {
  const rows = found.inconclusive.flatMap((it) => it.rows)
  return filled([
    {
      id: 'inconclusive',
      title: 'Could not run',
      items: rows,
      content: html`<p class="hint">Each group needs one setting of the target.</p>${found.inconclusive.map((it) => unlock(context, it))}`,
    },
    {
      id: 'accepted',
      title: 'Accepted gaps',
      items: found.accepted,
      content: html`<p class="hint">Not judged, and accepted by the configuration with a reason.</p><ul class="plain">${found.accepted.map((row) => html`<li>${rowLink(context, row.id)}: ${prose(row.reason ?? because(row), 500)}</li>`)}</ul>`,
    },
  ])
}

function unlock(context: PageContext, { cause, why, rows }: Group): Html {
  return html`<div class="unlock"><h3>To run ${plural(rows.length, 'requirement')}: <code>${cause}</code></h3>${why.map((text) => html`<p class="dim">${prose(text, 500)}</p>`)}<ul class="ids">${rows.map((row) => html`<li>${rowLink(context, row.id)}${row.level !== 'MUST' && html` <span class="l">${row.level}</span>`}</li>`)}</ul></div>`
}

/** What a section is made of, and the items that it is about. */
interface Draft {
  id: string
  title: string
  items: readonly unknown[]
  content: Html
}

function filled(drafts: readonly Draft[]): PageSection[] {
  return drafts
    .filter(({ items }) => items.length > 0)
    .map(({ id, title, items, content }) => ({ id, title, count: items.length, content }))
}
