import { type Paint, paint } from './color.ts'
import { causeFacts, type Fact, rowFacts } from './detail.ts'
import { shownEndpoints } from './endpoints.ts'
import { because, equalRows, findings, type Group } from './findings.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { oneLine, plural } from './model/text.ts'
import type { ReplayOf } from './replay/index.ts'
import { tally } from './tally.ts'

/** Longest text of a fact on a terminal, in characters. */
const factLimit = 4000

export interface ConsoleOptions {
  /** Whether to color; see `wantsColor`. @default false */
  color?: boolean
  /** Tells where a failure's replay lies. @default nowhere */
  replay?: ReplayOf
}

/**
 * Renders a report for a terminal: the verdict, the table, every failure with its cause, then what could not be judged
 * and what would unlock it. No byte that came from a server reaches the terminal unescaped.
 */
export function renderConsole(report: Report, { color = false, replay }: ConsoleOptions = {}): string {
  const ink = paint(color)
  const found = findings(report)
  const details = [
    ...list(
      ink,
      'Problems of the run',
      report.problems.map((problem) => oneLine(problem, 1000)),
    ),
    ...list(
      ink,
      'Stale baseline entries',
      report.staleBaseline.map(({ id, reason }) => line(id, reason)),
    ),
    ...(found.failures.length > 0 ? [title(ink, 'Failures', found.failures.length)] : []),
    ...equalRows(found.failures).map((rows) => failure(ink, rows, replay)),
    ...grouped(ink, 'Blocked', 'by', found.blocked),
    ...grouped(ink, 'Could not run', 'to run:', found.inconclusive),
    ...list(
      ink,
      'Advised, not met',
      found.warned.map((row) => line(row.id, because(row))),
    ),
    ...list(
      ink,
      'Accepted gaps',
      found.accepted.map((row) => line(row.id, row.reason ?? because(row))),
    ),
    ...list(
      ink,
      'Known failures in the baseline',
      found.known.map((row) => line(row.id, row.reason ?? because(row))),
    ),
  ]
  const verdict = sentence(ink, report)
  return `${[verdict, identity(ink, report), table(report), ...notApplicable(ink, found.notApplicable), ...details, ...(details.length > 0 ? [verdict] : [])].join('\n\n')}\n`
}

function sentence(ink: Paint, { verdict }: Report): string {
  const paintVerdict = { 0: ink.green, 1: ink.red, 2: ink.magenta, 3: ink.yellow }[verdict.exitCode]
  return ink.bold(paintVerdict(oneLine(verdict.sentence, 2000)))
}

function identity(ink: Paint, report: Report): string {
  const { suite, target, durationMs, repeat } = report
  const endpoints = shownEndpoints(report)
    .map(({ name, url }) => `${oneLine(name, 80)} ${oneLine(url, 200)}`)
    .join(', ')
  const of = target.version === undefined ? target.name : `${target.name} ${target.version}`
  return ink.dim(
    [
      `${oneLine(of, 200)}: ${endpoints || 'no endpoint'}`,
      `touchstone ${oneLine(suite.version)}, register ${oneLine(suite.catalogHash).slice(0, 12)}, seed ${oneLine(suite.seed)}, ${repeat > 1 ? `${repeat} repeats, ` : ''}${(durationMs / 1000).toFixed(1)} s`,
    ].join('\n'),
  )
}

function table(report: Report): string {
  const { head, lines } = tally(report.requirements)
  const all = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function pad(cell: string, width: number, column: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width)
}

/** A line for each reason. */
function notApplicable(ink: Paint, groups: readonly Group[]): string[] {
  const lines = groups.map(
    ({ cause, rows }) => `${plural(rows.length, 'requirement')} not applicable: ${oneLine(cause, 300)}`,
  )
  return lines.length > 0 ? [ink.dim(lines.join('\n'))] : []
}

/** Rows with equal failures: the first as it was seen, the others by their statements. */
function failure(ink: Paint, [row, ...others]: readonly RequirementResult[], replay?: ReplayOf): string {
  if (row === undefined) return ''
  const headOf = ({ verdict, id }: RequirementResult) =>
    `${ink.bold(ink.red(verdict.toUpperCase()))} ${ink.bold(oneLine(id, 200))}`
  const seen = causeFacts(row, factLimit)
  const unknown: Fact = { label: 'cause', text: 'the report holds no details of what was seen' }
  const files = replay?.(row.id)
  const again: Fact[] = files === undefined ? [] : [{ label: 'replay', text: oneLine(`bash ${files.sh}`, 1000) }]
  const parts = [rowFacts(row, factLimit), ...(seen.length > 0 ? seen : [[unknown]]), again]
  return [
    headOf(row),
    ...parts.filter((facts) => facts.length > 0).map((facts) => facts.map((fact) => labelled(ink, fact)).join('\n')),
    ...others.map((other) => `${headOf(other)} (the same): ${oneLine(other.statement, 300)}`),
  ].join('\n')
}

// The longest label is "interpretation".
const labelWidth = 16

function labelled(ink: Paint, { label, text }: Fact): string {
  const indented = text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(labelWidth + 2)}`)
  return `  ${ink.dim(label.padEnd(labelWidth))}${label === 'cause' ? ink.red(indented) : indented}`
}

function grouped(ink: Paint, name: string, by: string, groups: readonly Group[]): string[] {
  if (groups.length === 0) return []
  const lines = groups.map(({ cause, why, rows }) => {
    const reasons = why.map((text) => ink.dim(`    because ${oneLine(text, 300)}`))
    const ids = rows.map((row) => `    ${oneLine(row.id, 200)}${row.level === 'MUST' ? '' : ` (${row.level})`}`)
    return [`  ${by} ${oneLine(cause, 500)} (${plural(rows.length, 'requirement')})`, ...reasons, ...ids].join('\n')
  })
  return [
    [
      title(
        ink,
        name,
        groups.reduce((sum, { rows }) => sum + rows.length, 0),
      ),
      ...lines,
    ].join('\n'),
  ]
}

function list(ink: Paint, name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [[title(ink, name, lines.length), ...lines.map((text) => `  ${text}`)].join('\n')]
}

function title(ink: Paint, name: string, count: number): string {
  return ink.bold(`${name} (${count})`)
}

function line(id: string, text: string): string {
  return `${oneLine(id, 200)}: ${oneLine(text, 300)}`
}
