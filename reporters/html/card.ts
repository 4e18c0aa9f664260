import { type Cause, causes, failedCases, headline } from '../causes.ts'
import { explain, type RootCause } from '../findings.ts'
import type { Failure, RequirementResult } from '../model/report.ts'
import { clip, plural } from '../model/text.ts'
import { rerunCommand } from '../rerun.ts'
import { renderStrength } from '../strength.ts'
import { evidenceBlock } from './evidence.ts'
import type { Limits } from './limits.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { inSpecOrder } from './spec-order.ts'
import { breakableId, differentPart, marked, prose, verdictLabel } from './text.ts'

/** Maximum length of a statement, an expected or a received value in the summary of a card, in characters. */
const summaryLimit = 300

/** Ids in a command that tests a cause again. */
const maxIds = 10

/** A cause with the evidence of its first requirement, the other requirements and what it blocks. */
export function causeCard(context: PageContext, cause: RootCause, limits: Limits, open: boolean): Html {
  const { requirements, blocked, headline: text } = cause
  const [first, ...others] = requirements
  const length = Math.min(summaryLimit, limits.text)
  const { id, verdict, level, statement } = first
  const [expected = '', received] = text.split(', received ')
  const effect = html`${others.length > 0 && html`<span>${requirements.length} requirements</span>`}${blocked.length > 0 && html`<span>fixing this unblocks <b>${blocked.length}</b></span>`}`
  return html`<details class="card ${verdict}" id="${context.anchors(id)}"${open && html` open`}><summary><span class="tags">${effect}${verdictLabel(verdict)}<span class="l">${level}</span></span><h3>${breakableId(id)}</h3><span class="statement">${prose(statement, length)}</span>${received === undefined ? html`<span class="cause-text">${prose(text, length)}</span>` : html`<span class="versus"><span class="dim">Expected</span><span>${prose(expected.replace(/^expected (?:that )?/, ''), length)}</span><span class="dim">Received</span><span class="cause-text">${prose(received, length)}</span></span>`}</summary><div class="body">${actions(context, requirements)}${witnesses(context, first, limits, text.length <= length ? text : '')}${others.length > 0 && html`<details class="fold"><summary>Same cause: ${plural(others.length, 'more requirement')}</summary><ul class="plain">${others.map((other) => sameCause(context, other))}</ul></details>`}${blocked.length > 0 && html`<details class="fold"><summary>Blocked: ${plural(blocked.length, 'requirement')}</summary>${idsBySection(blocked)}</details>`}</div></details>`
}

/** A requirement that does not change the exit code, with the same parts as a cause. */
export function requirementCard(
  context: PageContext,
  requirement: RequirementResult,
  limits: Limits,
  open: boolean,
): Html {
  return causeCard(context, { headline: explain(requirement), requirements: [requirement], blocked: [] }, limits, open)
}

/** The place of the buttons, with what the script of the page needs to create them. */
function actions({ replay, report, target }: PageContext, requirements: RootCause['requirements']): Html {
  const [{ id }] = requirements
  const files = replay?.(id)
  const ids = requirements.slice(0, maxIds).flatMap((requirement) => ['--id', requirement.id])
  return html`<p class="actions" data-id="${id}"${files && html` data-script="${files.sh}"`} data-rerun="${rerunCommand(report, ids, target)}"></p>`
}

/** How the cause was decided: the first outcome open, the others folded. `shown` is what the summary of the card shows. */
function witnesses(context: PageContext, requirement: RequirementResult, limits: Limits, shown: string): Html {
  const { interpretation, section, level, area, reason, strength } = requirement
  const files = context.replay?.(requirement.id)
  const [first, ...others] = causes(requirement)
  const further = others.slice(0, limits.witnesses)
  const more = others.length - further.length
  const facts = html`<dl class="facts">${interpretation !== undefined && html`<dt>Interpretation</dt><dd>${prose(interpretation, limits.text)}</dd>`}${reason !== undefined && html`<dt>Reason</dt><dd>${prose(reason, limits.text)}</dd>`}<dt>Section</dt><dd>${section} <span class="dim">(${level}, area ${area})</span></dd><dt>Explanation</dt><dd><code>npx touchstone explain ${requirement.id}</code></dd><dt>Verdicts</dt><dd>${verdicts(requirement)}</dd>${strength !== undefined && html`<dt>Strength</dt><dd>${renderStrength(strength)}</dd>`}${files && html`<dt>Replay</dt><dd><a href="${files.sh}">shell script</a>, <a href="${files.har}">exchanges as HAR</a></dd>`}</dl>`
  return html`${first && witness(context, first, limits, shown)}${facts}${further.length > 0 && html`<details class="fold"><summary>${plural(further.length, 'more check')} with this verdict</summary>${further.map((cause) => html`<div class="cause"><p>${location(cause)}: ${prose(headline(cause.outcome) ?? '', limits.text)}</p>${witness(context, cause, limits, '')}</div>`)}</details>`}${more > 0 && html`<p class="note">${plural(more, 'more check')} with this verdict in the JSON report</p>`}`
}

function witness(context: PageContext, cause: Cause, limits: Limits, shown: string): Html {
  const { failure, unlock, evidence } = cause.outcome
  return html`${failure !== undefined && !repeats(shown, failure) && comparison(failure, limits.text)}${unlock !== undefined && html`<p>To test: ${prose(unlock, 1000)}</p>`}<p class="where">${location(cause)}</p>${evidence !== undefined && evidenceBlock(context, evidence, limits)}`
}

function location({ outcome, times }: Cause): Html {
  const cases = failedCases(outcome)
  const shown = cases !== undefined && outcome.failed !== 1 && ', the first is shown'
  return html`on <b>${outcome.endpoint}</b>${cases !== undefined && ` ${cases}`}${shown}; check: <q>${outcome.check}</q>${times > 1 && `, ${times} times`}`
}

/** Whether a headline has all that a comparison would show. A comparison also marks what differs in values that are alike. */
function repeats(text: string, { message, expected = '', received }: Failure): boolean {
  if (received === undefined) return expected === '' && text === message
  const [before = '', after] = text.split(', received ')
  const isShown = after === received && unquoted(before).includes(unquoted(expected))
  return isShown && differentPart(received, expected) === undefined
}

/** A statement shows a value in backticks, and JSON a text in quotes. */
function unquoted(text: string): string {
  return text.replace(/["`]/g, '')
}

function comparison({ message, expected, received }: Failure, limit: number): Html | undefined {
  if (expected === undefined && received === undefined) return html`<p class="message">${prose(message, limit)}</p>`
  return html`<div class="pair">${side('Expected', expected, received, limit)}${side('Received', received, expected, limit)}</div>`
}

function side(label: string, text: string | undefined, other: string | undefined, limit: number): Html | undefined {
  if (text === undefined) return undefined
  return html`<div><p class="label">${label}</p><pre tabindex="0">\n${text === '' ? '(empty)' : marked(clip(text, limit), clip(other ?? '', limit))}</pre></div>`
}

function verdicts({ outcomes }: RequirementResult): string {
  const byEndpoint = Map.groupBy(outcomes, ({ endpoint }) => endpoint)
  const texts = [...byEndpoint].map(([endpoint, group]) => {
    const byVerdict = Map.groupBy(group, ({ verdict }) => verdict)
    const counts = [...byVerdict].map(([verdict, { length }]) => (length > 1 ? `${length} × ${verdict}` : verdict))
    return `${endpoint}: ${counts.join(', ')}`
  })
  return texts.join('; ') || 'no check was run'
}

function sameCause({ anchors, replay }: PageContext, { id, statement }: RequirementResult): Html {
  const files = replay?.(id)
  return html`<li id="${anchors(id)}"><code>${breakableId(id)}</code> ${prose(statement, summaryLimit)}${files && html` <a href="${files.sh}">replay</a>`}</li>`
}

/** The ids of requirements, in the order of the specification. */
export function idsBySection(requirements: readonly RequirementResult[]): Html {
  return html`${inSpecOrder(requirements).map(([section, group]) => html`<p class="ids"><b>${section}</b> ${group.map(({ id }) => html`<a href="#?${String(new URLSearchParams({ q: id }))}"><code>${id}</code></a> `)}</p>`)}`
}
