import pc from 'picocolors'
import { causeFacts, type Fact, requirementFacts } from './facts.ts'
import { explain, type Group, groupEqualFailures, groupFindings } from './findings.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { oneLine, plural } from './model/text.ts'
import type { FindReplay } from './replay/index.ts'
import { shownEndpoints, summaryTable } from './summary.ts'

/** Maximum length of a fact, in characters. */
const factLimit = 4000

export interface ConsoleOptions {
  /** Whether to write colors; see `wantsColor`. @default false */
  color?: boolean
  /** Returns the replay files of a requirement; without it, none are shown. */
  replay?: FindReplay
}

/**
 * Renders a report for a terminal: the verdict, a table, every failure with its cause, then what is blocked, inconclusive
 * or accepted. Control characters that a server sent are escaped.
 */
export function renderConsole(report: Report, { color = false, replay }: ConsoleOptions = {}): string {
  const colors = createColors(color)
  const findings = groupFindings(report)
  const withReason = (requirement: RequirementResult) =>
    line(requirement.id, requirement.reason ?? explain(requirement))
  const details = [
    ...list(
      colors,
      'Problems of the run',
      report.problems.map((problem) => oneLine(problem, 1000)),
    ),
    ...list(
      colors,
      'Stale baseline entries',
      report.staleBaseline.map(({ id, reason }) => line(id, reason)),
    ),
    ...(findings.failures.length > 0 ? [title(colors, 'Failures', findings.failures.length)] : []),
    ...groupEqualFailures(findings.failures).map((requirements) => failure(colors, requirements, replay)),
    ...groupList(colors, 'Blocked', 'by', findings.blocked),
    ...groupList(colors, 'Inconclusive', 'to test:', findings.inconclusive),
    ...list(
      colors,
      'Warnings',
      findings.warnings.map((requirement) => line(requirement.id, explain(requirement))),
    ),
    ...list(colors, 'Accepted gaps', findings.acceptedGaps.map(withReason)),
    ...list(colors, 'Known failures in the baseline', findings.knownFailures.map(withReason)),
  ]
  const verdict = sentence(colors, report)
  const notes = [
    ...notApplicable(findings.notApplicable),
    ...(report.notRun === undefined ? [] : [oneLine(report.notRun)]),
  ]
  const parts = [verdict, identity(colors, report), table(report), ...notes.map(colors.dim)]
  return `${[...parts, ...details, ...(details.length > 0 ? [verdict] : [])].join('\n\n')}\n`
}

function sentence(colors: Colors, { verdict }: Report): string {
  const colored = { 0: colors.green, 1: colors.red, 2: colors.magenta, 3: colors.yellow }[verdict.exitCode]
  return colors.bold(colored(oneLine(verdict.sentence, 2000)))
}

function identity(colors: Colors, report: Report): string {
  const { suite, target, durationMs, repeat } = report
  const endpoints = shownEndpoints(report)
    .map(({ name, url }) => `${oneLine(name, 80)} ${oneLine(url, 200)}`)
    .join(', ')
  const name = target.version === undefined ? target.name : `${target.name} ${target.version}`
  return colors.dim(
    [
      `${oneLine(name, 200)}: ${endpoints || 'no endpoint'}`,
      `touchstone ${oneLine(suite.version)}, catalog ${oneLine(suite.catalogHash).slice(0, 12)}, seed ${oneLine(suite.seed)}, ${repeat > 1 ? `${repeat} repeats, ` : ''}${(durationMs / 1000).toFixed(1)} s`,
    ].join('\n'),
  )
}

function table(report: Report): string {
  const { head, lines } = summaryTable(report.requirements)
  const all = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return column < 2 ? cell.padEnd(width) : cell.padStart(width)
  }
  return all.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n')
}

/** One line for each reason. */
function notApplicable(groups: readonly Group[]): string[] {
  const lines = groups.map(
    ({ cause, requirements }) => `${plural(requirements.length, 'requirement')} not applicable: ${oneLine(cause, 300)}`,
  )
  return lines.length > 0 ? [lines.join('\n')] : []
}

/** Requirements with equal failures: the first with all details, the others with their statements. */
function failure(
  colors: Colors,
  [requirement, ...others]: readonly RequirementResult[],
  replay: FindReplay | undefined,
): string {
  if (requirement === undefined) return ''
  const head = ({ verdict, id }: RequirementResult) =>
    `${colors.bold(colors.red(verdict.toUpperCase()))} ${colors.bold(oneLine(id, 200))}`
  const causes = causeFacts(requirement, factLimit)
  const unknown: Fact = { label: 'cause', text: 'the report has no details of this failure' }
  const files = replay?.(requirement.id)
  const replayFacts: Fact[] = files === undefined ? [] : [{ label: 'replay', text: oneLine(`bash ${files.sh}`, 1000) }]
  const parts = [requirementFacts(requirement, factLimit), ...(causes.length > 0 ? causes : [[unknown]]), replayFacts]
  return [
    head(requirement),
    ...parts.filter((facts) => facts.length > 0).map((facts) => facts.map((fact) => labeled(colors, fact)).join('\n')),
    ...others.map((other) => `${head(other)} (same failure): ${oneLine(other.statement, 300)}`),
  ].join('\n')
}

// The longest label is "interpretation".
const labelWidth = 16

function labeled(colors: Colors, { label, text }: Fact): string {
  const indented = text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(labelWidth + 2)}`)
  return `  ${colors.dim(label.padEnd(labelWidth))}${label === 'cause' ? colors.red(indented) : indented}`
}

function groupList(colors: Colors, name: string, prefix: string, groups: readonly Group[]): string[] {
  if (groups.length === 0) return []
  const lines = groups.map(({ cause, messages, requirements }) => {
    const reasons = messages.map((text) => colors.dim(`    because ${oneLine(text, 300)}`))
    const ids = requirements.map(({ id, level }) => `    ${oneLine(id, 200)}${level === 'MUST' ? '' : ` (${level})`}`)
    const count = plural(requirements.length, 'requirement')
    return [`  ${prefix} ${oneLine(cause, 500)} (${count})`, ...reasons, ...ids].join('\n')
  })
  const total = groups.reduce((sum, { requirements }) => sum + requirements.length, 0)
  return [[title(colors, name, total), ...lines].join('\n')]
}

function list(colors: Colors, name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [[title(colors, name, lines.length), ...lines.map((text) => `  ${text}`)].join('\n')]
}

function title(colors: Colors, name: string, count: number): string {
  return colors.bold(`${name} (${count})`)
}

function line(id: string, text: string): string {
  return `${oneLine(id, 200)}: ${oneLine(text, 300)}`
}

/** Functions that color a text, or return it unchanged when colors are off. */
type Colors = Record<'red' | 'green' | 'yellow' | 'magenta' | 'bold' | 'dim', (text: string) => string>

export function createColors(enabled: boolean): Colors {
  return pc.createColors(enabled)
}

/** Whether to write colors to a stream: it is a terminal and `NO_COLOR` is not set. */
export function wantsColor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  return stream.isTTY === true && !env['NO_COLOR']
}
