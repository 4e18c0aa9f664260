import { causeFacts, type Fact, requirementFacts } from './facts.ts'
import { explain, firstIds, type Group, groupFindings, type RootCause } from './findings.ts'
import { code, codeBlock, joinWithin, plain, prose, type Section } from './markdown-text.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { plural } from './model/text.ts'
import type { FindReplay, Replay } from './replay/index.ts'
import { shownEndpoints, summaryTable } from './summary.ts'

/** Maximum size of the sections in bytes; a comment on GitHub has at most 65,536 characters. */
const sizeLimit = 50_000

/** Maximum length of a fact, in characters. */
const factLimit = 2000

const icons = { 0: '✅', 1: '❌', 2: '💥', 3: '⚠️' }

export interface MarkdownOptions {
  /** Returns the replay files of a requirement, as paths relative to the summary; without it, none are linked. */
  replay?: FindReplay
}

/**
 * Renders a job summary in GitHub Markdown, of less than 60,000 characters: the verdict, the cause of every failure, then
 * its details. Texts from the target are code or escaped, so that they cannot add markup.
 */
export function renderMarkdown(report: Report, { replay }: MarkdownOptions = {}): string {
  const findings = groupFindings(report)
  const { rootCauses, observed } = findings
  const failed = rootCauses.reduce((sum, { requirements }) => sum + requirements.length, 0)
  const { text, leftOut } = joinWithin(sizeLimit, [
    bullets(
      'problems',
      'Problems of the run',
      report.problems.map((problem) => code(problem, 1000)),
    ),
    section('causes', `Failures (${failed})`, rootCauses.map(conclusion)),
    { name: 'details of causes', before: '\n', items: rootCauses.map((cause) => details(cause, replay)), after: '' },
    bullets(
      'stale baseline entries',
      'Stale baseline entries',
      report.staleBaseline.map(({ id, reason }) => `${code(id)}: ${prose(reason)}`),
    ),
    groups('groups of blocked requirements', 'Blocked by other requirements', 'by', findings.otherBlocked),
    groups('groups of inconclusive requirements', 'Inconclusive', 'to test:', findings.inconclusive),
    bullets(
      'warnings',
      'Warnings',
      findings.warnings.map((requirement) => `${code(requirement.id)}: ${cause(explain(requirement))}`),
    ),
    bullets('accepted gaps', 'Accepted gaps', findings.acceptedGaps.map(withReason)),
    bullets('known failures', 'Known failures in the baseline', findings.knownFailures.map(withReason)),
  ])
  const more = [
    ...(leftOut.length > 0 ? [`Left out to fit into a comment: ${leftOut.join(', ')}.`] : []),
    ...(observed.length > 0
      ? [`Unspecified behavior was observed for ${plural(observed.length, 'requirement')}.`]
      : []),
  ]
  const note = more.length > 0 ? `\n${more.join(' ')} The HTML and JSON reports are complete.\n` : ''
  const notRun = report.notRun === undefined ? '' : `\n${plain(report.notRun, 300)}\n`
  const { exitCode, sentence } = report.verdict
  return `## ${icons[exitCode]} ${plain(sentence, 2000)}\n\n${identity(report)}\n\n${table(report)}${notRun}${text}${note}`
}

function identity(report: Report): string {
  const { suite, target, repeat, durationMs } = report
  const endpoints = shownEndpoints(report)
    .slice(0, 20)
    .map(({ name, url }) => `${code(name, 80)} ${code(url, 200)}`)
  const version = target.version === undefined ? '' : ` ${plain(target.version, 80)}`
  const repeats = repeat > 1 ? `, ${repeat} repeats` : ''
  const suiteText = `touchstone ${plain(suite.version, 40)}, catalog ${code(suite.catalogHash.slice(0, 12))}, seed ${code(suite.seed, 80)}`
  return `${plain(target.name, 200)}${version}: ${endpoints.join(', ') || 'no endpoint'}. ${suiteText}${repeats}, ${(durationMs / 1000).toFixed(1)} s.`
}

function table(report: Report): string {
  const { head, lines } = summaryTable(report.requirements)
  const rule = head.map((_, column) => (column < 2 ? '---' : '---:'))
  return [head, rule, ...lines.slice(-60).map((cells) => cells.map((text) => plain(text, 80)))]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}

/** One line for a cause: what was expected and received, and what depends on it. */
function conclusion({ headline, requirements: [first, ...others], blocked }: RootCause): string {
  const same = others.length === 0 ? '' : ` Same cause: ${idList(others)}.`
  const blocks = blocked.length === 0 ? '' : ` **Blocks ${blocked.length}**: ${idList(blocked)}.`
  return `- ${code(first.id)}: ${cause(headline)}.${same}${blocks}\n`
}

/** A text with what the target sent is code, so that it mentions nobody and links nothing. */
function cause(text: string): string {
  return code(text.replaceAll('`', ''), 400)
}

/** The details of the first requirement of a cause, and links to the replays of the others. */
function details({ requirements: [first, ...others] }: RootCause, replay: FindReplay | undefined): string {
  const files = replay?.(first.id)
  const parts = [
    ...requirementFacts(first, factLimit).map(factText),
    ...causeFacts(first, factLimit).flatMap((facts) => ['', ...facts.map(factText)]),
    ...(files === undefined ? [] : ['', `- **replay**: [script](${link(files.sh)}), [HAR](${link(files.har)})`]),
    ...(others.length === 0 ? [] : ['', '- **same cause**:']),
    ...others
      .slice(0, 20)
      .map((other) => `  - ${code(other.id, 200)}: ${prose(other.statement)}${replayLink(replay?.(other.id))}`),
  ]
  return `<details><summary><code>${plain(first.id, 200)}</code> ${first.verdict}</summary>\n\n${parts.join('\n')}\n\n</details>\n`
}

function replayLink(files: Replay | undefined): string {
  return files === undefined ? '' : ` ([replay](${link(files.sh)}))`
}

/** Escapes a path for use as the target of a link. */
function link(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Facts that are rendered as code blocks, with the language of the block. */
const languages: Partial<Record<Fact['label'], string>> = {
  expected: '',
  received: '',
  exchange: 'http',
  stream: '',
  curl: 'sh',
}

function factText({ label, text }: Fact): string {
  const language = languages[label]
  const name = `**${label}**`
  if (language === undefined) return `- ${name}: ${label === 'cause' ? cause(text) : prose(text, factLimit)}`
  return `\n${name}\n\n${codeBlock(text, language)}\n`
}

function groups(name: string, title: string, prefix: string, all: readonly Group[]): Section {
  const total = all.reduce((sum, { requirements }) => sum + requirements.length, 0)
  const lines = all.map(({ cause, messages, requirements }) => {
    const reasons = messages.map((text) => `, because ${code(text, 300)}`).join('')
    return `- ${prefix} ${code(cause, 500)} (${requirements.length}${reasons}): ${idList(requirements)}\n`
  })
  return section(name, `${title} (${total})`, lines)
}

function idList(requirements: readonly RequirementResult[]): string {
  return firstIds(requirements, false, code)
}

function withReason(requirement: RequirementResult): string {
  return `${code(requirement.id)}: ${prose(requirement.reason ?? explain(requirement))}`
}

function bullets(name: string, title: string, lines: readonly string[]): Section {
  return section(
    name,
    `${title} (${lines.length})`,
    lines.map((line) => `- ${line}\n`),
  )
}

function section(name: string, title: string, items: readonly string[]): Section {
  return { name, before: `\n### ${title}\n\n`, items, after: '' }
}
