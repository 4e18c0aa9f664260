import { bounded, type Section } from './bounded.ts'
import { causeFacts, type Fact, rowFacts } from './detail.ts'
import { shownEndpoints } from './endpoints.ts'
import { because, causes, equalRows, findings, type Group } from './findings.ts'
import { code, codeBlock, plain } from './markdown-text.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { plural } from './model/text.ts'
import type { Replay, ReplayOf } from './replay/index.ts'
import { tally } from './tally.ts'

/** What a job summary may hold, with room for the head; in bytes. */
const limit = 1_000_000 - 20_000

/** Longest text of a fact, in characters. */
const factLimit = 4000

const icons = { 0: '✅', 1: '❌', 2: '💥', 3: '⚠️' }

export interface MarkdownOptions {
  /** Tells where a failure's replay lies, as addresses relative to the summary. @default nowhere */
  replay?: ReplayOf
}

/**
 * Renders a job summary in GitHub's Markdown, of at most 1 MB. Texts of the target stand in code, so that nothing in
 * them becomes markup.
 */
export function renderMarkdown(report: Report, { replay }: MarkdownOptions = {}): string {
  const found = findings(report)
  const { text, cut } = bounded(
    [
      bullets(
        'problems',
        'Problems of the run',
        report.problems.map((problem) => code(problem, 1000)),
      ),
      bullets(
        'stale baseline entries',
        'Stale baseline entries',
        report.staleBaseline.map((it) => `${code(it.id)}: ${plain(it.reason)}`),
      ),
      section(
        'failures',
        `Failures (${found.failures.length})`,
        equalRows(found.failures).map((rows) => failure(rows, replay)),
      ),
      bullets(
        'reasons to be blocked',
        'Blocked',
        found.blocked.map((group) => grouped('by', group)),
      ),
      bullets(
        'reasons not to run',
        'Could not run',
        found.inconclusive.map((group) => grouped('to run:', group)),
      ),
      bullets(
        'advised points',
        'Advised, not met',
        found.warned.map((row) => `${code(row.id)}: ${code(because(row), 300)}`),
      ),
      bullets('accepted gaps', 'Accepted gaps', found.accepted.map(reasoned)),
      bullets('known failures', 'Known failures in the baseline', found.known.map(reasoned)),
      observed(found.observed),
    ],
    limit,
  )
  const note =
    cut.length > 0
      ? `> **Shortened** to stay under 1 MB. Left out: ${cut.join(', ')}. The JSON report holds all.\n\n`
      : ''
  return `## ${icons[report.verdict.exitCode]} ${plain(report.verdict.sentence, 2000)}\n\n${identity(report)}\n\n${note}${table(report)}${text}`
}

function identity(report: Report): string {
  const { suite, target, repeat, durationMs } = report
  const endpoints = shownEndpoints(report)
    .slice(0, 20)
    .map(({ name, url }) => `${code(name, 80)} ${code(url, 200)}`)
  const version = target.version === undefined ? '' : ` ${plain(target.version, 80)}`
  const repeats = repeat > 1 ? `, ${repeat} repeats` : ''
  const suiteText = `touchstone ${plain(suite.version, 40)}, register ${code(suite.catalogHash.slice(0, 12))}, seed ${code(suite.seed, 80)}`
  return `${plain(target.name, 200)}${version}: ${endpoints.join(', ') || 'no endpoint'}. ${suiteText}${repeats}, ${(durationMs / 1000).toFixed(1)} s.`
}

function table(report: Report): string {
  const { head, lines } = tally(report.requirements)
  const shown = lines.slice(-60)
  const rule = head.map((_, column) => (column < 2 ? '---' : '---:'))
  return [head, rule, ...shown.map((cells) => cells.map((cell) => plain(cell, 80)))]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}

/** Rows with equal failures: the first as it was seen, the others by their statements. */
function failure([row, ...others]: readonly RequirementResult[], replay: ReplayOf | undefined): string {
  if (row === undefined) return ''
  const files = replay?.(row.id)
  const where = [...new Set(causes(row).map(({ outcome }) => outcome.endpoint))].join(', ')
  const more = others.length > 0 ? ` and ${plural(others.length, 'more row')}` : ''
  const summary = `<code>${plain(row.id, 200)}</code>${more} ${row.verdict}${where ? ` on ${plain(where, 100)}` : ''}: ${plain(because(row), 200)}`
  const parts = [
    ...rowFacts(row, factLimit).map(fact),
    ...causeFacts(row, factLimit).flatMap((facts) => ['', ...facts.map(fact)]),
    ...(files === undefined ? [] : ['', `- **replay**: [script](${address(files.sh)}), [HAR](${address(files.har)})`]),
    ...(others.length === 0 ? [] : ['', '- **the same failure**:']),
    ...others.map((other) => `  - ${code(other.id, 200)}: ${plain(other.statement, 500)}${again(replay?.(other.id))}`),
  ]
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n')}\n\n</details>\n`
}

function again(files: Replay | undefined): string {
  return files === undefined ? '' : ` ([replay](${address(files.sh)}))`
}

/** An address as the target of a link. */
function address(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

const blocks: Partial<Record<Fact['label'], string>> = {
  expected: '',
  received: '',
  exchange: 'http',
  stream: '',
  curl: 'sh',
}

function fact({ label, text }: Fact): string {
  const language = blocks[label]
  const name = `**${label}**`
  if (language === undefined) return `- ${name}: ${label === 'cause' ? code(text, factLimit) : plain(text, factLimit)}`
  return `\n${name}\n\n${codeBlock(text, language)}\n`
}

function grouped(by: string, { cause, why, rows }: Group): string {
  const reasons = why.map((text) => `, because ${code(text, 300)}`).join('')
  const ids = rows.slice(0, 500).map((row) => code(row.id))
  const more = rows.length > ids.length ? `, and ${rows.length - ids.length} more` : ''
  return `${by} ${code(cause, 500)} (${rows.length}${reasons}): ${ids.join(', ')}${more}`
}

function reasoned(row: RequirementResult): string {
  return `${code(row.id)}: ${plain(row.reason ?? because(row), 500)}`
}

function observed(rows: readonly RequirementResult[]): Section {
  const seen = (row: RequirementResult) =>
    causes(row)
      .map(
        ({ outcome }) =>
          `${cell(code(outcome.endpoint, 80))} ${cell(code(outcome.observation ?? 'nothing noted', 500))}`,
      )
      .join('<br>')
  return {
    name: 'observed points',
    before: `\n<details><summary>Observed, not judged: what the document leaves open (${rows.length})</summary>\n\n| point | question | seen |\n| --- | --- | --- |\n`,
    items: rows.map((row) => `| ${cell(code(row.id))} | ${plain(row.statement, 500)} | ${seen(row)} |\n`),
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

/** A code span for a table: a bar would end the cell even there. */
function cell(span: string): string {
  return span.replaceAll('|', '\\|')
}
