import { causeFacts, type Fact, requirementFacts } from './facts.ts'
import { causes, explain, type Group, groupEqualFailures, groupFindings } from './findings.ts'
import { cell, code, codeBlock, joinWithin, plain, type Section } from './markdown-text.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { plural } from './model/text.ts'
import type { FindReplay, Replay } from './replay/index.ts'
import { shownEndpoints, summaryTable } from './summary.ts'

/** Maximum size of the sections in bytes; a job summary on GitHub has at most 1 MiB. */
const sizeLimit = 1_000_000 - 20_000

/** Maximum length of a fact, in characters. */
const factLimit = 4000

const icons = { 0: '✅', 1: '❌', 2: '💥', 3: '⚠️' }

export interface MarkdownOptions {
  /** Returns the replay files of a requirement, as paths relative to the summary; without it, none are linked. */
  replay?: FindReplay
}

/**
 * Renders a job summary in GitHub Markdown, of at most 1 MB. Texts from the target are code or escaped, so that they
 * cannot add markup.
 */
export function renderMarkdown(report: Report, { replay }: MarkdownOptions = {}): string {
  const findings = groupFindings(report)
  const { text, leftOut } = joinWithin(sizeLimit, [
    bullets(
      'problems',
      'Problems of the run',
      report.problems.map((problem) => code(problem, 1000)),
    ),
    bullets(
      'stale baseline entries',
      'Stale baseline entries',
      report.staleBaseline.map(({ id, reason }) => `${code(id)}: ${plain(reason)}`),
    ),
    section(
      'failures',
      `Failures (${findings.failures.length})`,
      groupEqualFailures(findings.failures).map((requirements) => failure(requirements, replay)),
    ),
    bullets(
      'groups of blocked requirements',
      'Blocked',
      findings.blocked.map((group) => groupLine('by', group)),
    ),
    bullets(
      'groups of inconclusive requirements',
      'Inconclusive',
      findings.inconclusive.map((group) => groupLine('to test:', group)),
    ),
    bullets(
      'warnings',
      'Warnings',
      findings.warnings.map((requirement) => `${code(requirement.id)}: ${code(explain(requirement), 300)}`),
    ),
    bullets('accepted gaps', 'Accepted gaps', findings.acceptedGaps.map(withReason)),
    bullets('known failures', 'Known failures in the baseline', findings.knownFailures.map(withReason)),
    unspecifiedBehavior(findings.observed),
  ])
  const note =
    leftOut.length > 0
      ? `> **Shortened** to stay under 1 MB. Left out: ${leftOut.join(', ')}. The JSON report is complete.\n\n`
      : ''
  const notRun = report.notRun === undefined ? '' : `\n${plain(report.notRun, 300)}\n`
  const { exitCode, sentence } = report.verdict
  return `## ${icons[exitCode]} ${plain(sentence, 2000)}\n\n${identity(report)}\n\n${note}${table(report)}${notRun}${text}`
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

/** Requirements with equal failures: the first with all details, the others with their statements. */
function failure([requirement, ...others]: readonly RequirementResult[], replay: FindReplay | undefined): string {
  if (requirement === undefined) return ''
  const { id, verdict } = requirement
  const files = replay?.(id)
  const endpoints = [...new Set(causes(requirement).map(({ outcome }) => outcome.endpoint))].join(', ')
  const more = others.length > 0 ? ` and ${plural(others.length, 'more requirement')}` : ''
  const where = endpoints ? ` on ${plain(endpoints, 100)}` : ''
  const summary = `<code>${plain(id, 200)}</code>${more} ${verdict}${where}: ${plain(explain(requirement), 200)}`
  const parts = [
    ...requirementFacts(requirement, factLimit).map(factText),
    ...causeFacts(requirement, factLimit).flatMap((facts) => ['', ...facts.map(factText)]),
    ...(files === undefined ? [] : ['', `- **replay**: [script](${link(files.sh)}), [HAR](${link(files.har)})`]),
    ...(others.length === 0 ? [] : ['', '- **same failure**:']),
    ...others.map(
      (other) => `  - ${code(other.id, 200)}: ${plain(other.statement, 500)}${replayLink(replay?.(other.id))}`,
    ),
  ]
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n')}\n\n</details>\n`
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
  if (language === undefined) return `- ${name}: ${label === 'cause' ? code(text, factLimit) : plain(text, factLimit)}`
  return `\n${name}\n\n${codeBlock(text, language)}\n`
}

function groupLine(prefix: string, { cause, messages, requirements }: Group): string {
  const reasons = messages.map((text) => `, because ${code(text, 300)}`).join('')
  const ids = requirements.slice(0, 500).map(({ id }) => code(id))
  const more = requirements.length > ids.length ? `, and ${requirements.length - ids.length} more` : ''
  return `${prefix} ${code(cause, 500)} (${requirements.length}${reasons}): ${ids.join(', ')}${more}`
}

function withReason(requirement: RequirementResult): string {
  return `${code(requirement.id)}: ${plain(requirement.reason ?? explain(requirement), 500)}`
}

function unspecifiedBehavior(requirements: readonly RequirementResult[]): Section {
  const observations = (requirement: RequirementResult) =>
    causes(requirement).map(({ outcome: { endpoint, observation = 'nothing recorded' } }) =>
      cell(`${code(endpoint, 80)} ${code(observation, 500)}`),
    )
  return {
    name: 'observations',
    before: `\n<details><summary>Unspecified behavior: what this target does (${requirements.length})</summary>\n\n| requirement | question | observed |\n| --- | --- | --- |\n`,
    items: requirements.map(
      (requirement) =>
        `| ${cell(code(requirement.id))} | ${plain(requirement.statement, 500)} | ${observations(requirement).join('<br>')} |\n`,
    ),
    after: '\n</details>\n',
  }
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
