import pc from 'picocolors'
import { causeFacts, type Fact, requirementFacts } from './facts.ts'
import { explain, firstIds, type Group, groupFailures, groupFindings, type RootCause } from './findings.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { oneLine, plural } from './model/text.ts'
import { isWarning } from './model/verdict.ts'
import type { FindReplay } from './replay/index.ts'
import { shownEndpoints, summaryTable } from './summary.ts'
import { indented, wrapped } from './wrap.ts'

/** Maximum length of a fact, in characters. */
const factLimit = 4000
/** Maximum length of the verdict, in characters. */
const sentenceLimit = 2000
/** Causes that are shown with all details; warnings if fewer requirements fail. */
const maxDetailed = 5
/** Lines of an exchange that are shown. */
const maxLines = 40

export interface ConsoleOptions {
  /** Whether to write colors; see `wantsColor`. @default false */
  color?: boolean
  /**
   * Width of the terminal; lines have 60 to 200 characters, except commands, which can be copied. Without a width, the
   * verdict is one line too, so that a log can be searched for it.
   * @default 100
   */
  width?: number | undefined
  /** Whether to show all details and all ids. @default false */
  verbose?: boolean | undefined
  /** Path of the HTML report, printed at the end. */
  report?: string
  /** Command that tests the requirements that did not pass again, printed at the end. */
  rerun?: string
  /** Returns the replay files of a requirement; without it, none are shown. */
  replay?: FindReplay
}

interface Style {
  colors: Colors
  width: number
  /** Width of the verdict. */
  verdictWidth: number
  verbose: boolean
}

/**
 * Renders a report for a terminal: details of the failures, what is inconclusive or accepted, a table, and at the end the
 * verdict, the cause of every failure, and what to do next. Control characters that a server sent are escaped.
 */
export function renderConsole(report: Report, options: ConsoleOptions = {}): string {
  const { color = false, verbose = false } = options
  const width = Math.min(200, Math.max(60, options.width ?? 100))
  const verdictWidth = options.width === undefined ? sentenceLimit : width
  const style = { colors: createColors(color), width, verdictWidth, verbose }
  const { colors } = style
  const findings = groupFindings(report)
  const detailed = verbose ? findings.rootCauses : findings.rootCauses.slice(0, maxDetailed)
  const allWarnings = groupFailures(findings.warnings)
  const warnings = verbose ? allWarnings : allWarnings.slice(0, maxDetailed - detailed.length)
  const withReason = (requirement: RequirementResult): Line => [
    requirement.id,
    requirement.reason ?? explain(requirement),
  ]
  const further = allWarnings.slice(warnings.length)
  const parts = [
    identity(style, report),
    ...list(
      style,
      'Stale baseline entries',
      report.staleBaseline.map(({ id, reason }) => [id, reason]),
    ),
    ...detailed.map((cause) => details(style, cause)),
    ...groups(style, 'Blocked by other requirements', 'by', findings.otherBlocked),
    ...groups(style, 'Inconclusive', 'to test:', findings.inconclusive),
    ...warnings.map((warning) => details(style, warning)),
    ...list(
      style,
      warnings.length > 0 ? 'Further warnings' : 'Warnings',
      further.map(({ requirements, headline }) => [firstIds(requirements, verbose), headline]),
      further.flatMap(({ requirements }) => requirements).length,
    ),
    ...list(style, 'Accepted gaps', findings.acceptedGaps.map(withReason)),
    ...list(style, 'Known failures in the baseline', findings.knownFailures.map(withReason)),
    table(style, report),
    ...notes(style, report, findings.notApplicable).map(colors.dim),
    sentence(style, report),
    ...report.problems.map((problem) => colors.red(indented(style.width, '✗ ', oneLine(problem, 1000)))),
    ...findings.rootCauses.map((cause) => conclusion(style, cause)),
    nextSteps(report, findings.rootCauses, options),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function sentence({ colors, verdictWidth }: Style, { verdict }: Report): string {
  const colored = { 0: colors.green, 1: colors.red, 2: colors.magenta, 3: colors.yellow }[verdict.exitCode]
  return colors.bold(colored(wrapped(oneLine(verdict.sentence, sentenceLimit), verdictWidth)))
}

function identity({ colors, width }: Style, report: Report): string {
  const { suite, target, durationMs, repeat } = report
  const endpoints = shownEndpoints(report)
    .map(({ name, url }) => `${oneLine(name, 80)} ${oneLine(url, 200)}`)
    .join(', ')
  const name = target.version === undefined ? target.name : `${target.name} ${target.version}`
  const repeats = repeat > 1 ? `${repeat} repeats, ` : ''
  const run = `touchstone ${oneLine(suite.version)}, catalog ${oneLine(suite.catalogHash).slice(0, 12)}, seed ${oneLine(suite.seed)}, ${repeats}${(durationMs / 1000).toFixed(1)} s`
  // Without a name in the configuration, a server is named by its address.
  const shown = endpoints.includes(name) ? endpoints : `${oneLine(name, 200)}: ${endpoints || 'no endpoint'}`
  const texts = [shown, run]
  return colors.dim(texts.map((text) => wrapped(text, width)).join('\n'))
}

/** The number of requirements with each verdict, by area and level. */
function table({ width }: Style, { requirements }: Report): string {
  const { head, lines } = summaryTable(requirements)
  const widths = [0, 1].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines
    .map(([area = '', level = '', ...numbers]) => {
      const counts = numbers.flatMap((number, index) => (number === '0' ? [] : [`${number} ${head[index + 2]}`]))
      const prefix = `${area.padEnd(widths[0] ?? 0)}  ${level.padEnd(widths[1] ?? 0)}  `
      return indented(width, prefix, counts.slice(0, -1).join(', '), prefix.length)
    })
    .join('\n')
}

/** One line for each reason why requirements are not applicable, and what the options of the run left out. */
function notes({ width }: Style, { notRun }: Report, groups: readonly Group[]): string[] {
  const lines = groups.map(
    ({ cause, requirements }) => `${plural(requirements.length, 'requirement')} not applicable: ${oneLine(cause, 300)}`,
  )
  if (notRun !== undefined) lines.push(oneLine(notRun))
  return lines.length > 0 ? [lines.map((text) => wrapped(text, width)).join('\n')] : []
}

/** A root cause with the details of its first requirement. */
function details(style: Style, { requirements: [first, ...others] }: Pick<RootCause, 'requirements'>): string {
  const { colors, verbose } = style
  const head = (requirement: RequirementResult) => {
    const color = isWarning(requirement) ? colors.yellow : colors.red
    return `${colors.bold(color(requirement.verdict.toUpperCase()))} ${colors.bold(oneLine(requirement.id, 200))}`
  }
  const causes = causeFacts(first, factLimit)
  const unknown: Fact = { label: 'cause', text: 'the report has no details of this failure' }
  const shown = causes.length === 0 ? [[unknown]] : verbose ? causes : causes.slice(0, 1)
  const more = verbose ? others : others.slice(0, maxDetailed)
  return [
    head(first),
    ...[requirementFacts(first, factLimit), ...shown].map((facts) =>
      facts.map((fact) => labeled(style, fact)).join('\n'),
    ),
    ...more.map((other) => indented(style.width, `${head(other)} (same cause): `, oneLine(other.statement, 300))),
  ].join('\n')
}

// The longest label is "interpretation".
const labelWidth = 16
/** Facts of several lines, which start on a line of their own. */
const blocks: readonly Fact['label'][] = ['exchange', 'stream']

function labeled({ colors, width, verbose }: Style, { label, text }: Fact): string {
  const isBlock = blocks.includes(label)
  const indent = isBlock ? 4 : labelWidth + 2
  const all = label === 'curl' ? text.split('\n') : text.split('\n').flatMap((line) => layout(line, width - indent))
  const lines = verbose || all.length <= maxLines ? all : [...all.slice(0, maxLines), `… (${all.length} lines)`]
  const block = lines
    .map((line, index) => ((index === 0 && !isBlock) || line === '' ? line : ' '.repeat(indent) + line))
    .join('\n')
  const shown = label === 'cause' ? colors.red(block) : block
  return isBlock ? `  ${colors.dim(label)}\n${shown}` : `  ${colors.dim(label.padEnd(labelWidth))}${shown}`
}

/** Breaks a line; its further lines are indented like it, and a little more. */
function layout(line: string, room: number): string[] {
  const text = line.trimStart()
  const indent = line.length - text.length
  return indented(room, ' '.repeat(indent), text, indent === 0 ? 0 : Math.min(indent + 2, room / 2)).split('\n')
}

/** What a reader needs first of a cause: where and what, and what depends on it. */
function conclusion({ colors, width, verbose }: Style, { headline, requirements, blocked }: RootCause): string {
  const [first, ...others] = requirements
  const mark = `${colors.red('✗')} ${colors.bold(oneLine(first.id, 200))}`
  const lines = [indented(width, `${mark}  `, headline, 4)]
  if (others.length > 0) lines.push(indented(width, '    same cause: ', ids(others, verbose), 6))
  if (blocked.length > 0) lines.push(indented(width, `    blocks ${blocked.length}: `, ids(blocked, verbose), 6))
  return lines.join('\n')
}

function ids(requirements: readonly RequirementResult[], verbose: boolean): string {
  return firstIds(requirements, verbose, (id) => oneLine(id, 200))
}

function nextSteps(
  { requirements }: Report,
  rootCauses: readonly RootCause[],
  { report, rerun, replay }: ConsoleOptions,
): string {
  const files = rootCauses.flatMap(({ requirements: [first] }) => replay?.(first.id) ?? [])
  const isComplete = requirements.every(({ verdict }) => !['fail', 'flaky', 'blocked', 'error'].includes(verdict))
  const steps = [
    ...(report === undefined ? [] : [`report:  ${report}`]),
    ...(rerun === undefined || isComplete ? [] : [`re-run:  ${rerun}`]),
    ...files.slice(0, maxDetailed).map(({ sh }) => `replay:  bash ${sh}`),
  ]
  return steps.map((step) => oneLine(step, 4000)).join('\n')
}

type Line = readonly [id: string, text: string]

function groups(style: Style, name: string, prefix: string, all: readonly Group[]): string[] {
  if (all.length === 0) return []
  const { colors, width, verbose } = style
  const blocks = all.map(({ cause, messages, requirements }) => {
    const reasons = messages.map((text) => colors.dim(indented(width, '    because ', oneLine(text, 300), 6)))
    const count = plural(requirements.length, 'requirement')
    return [
      indented(width, `  ${prefix} `, `${oneLine(cause, 500)} (${count})`, 4),
      ...reasons,
      indented(width, '    ', ids(requirements, verbose), 4),
    ].join('\n')
  })
  const total = all.reduce((sum, { requirements }) => sum + requirements.length, 0)
  return [[title(colors, name, total), ...blocks].join('\n')]
}

function list({ colors, width }: Style, name: string, lines: readonly Line[], count = lines.length): string[] {
  if (lines.length === 0) return []
  const texts = lines.map(([id, text]) => indented(width, `  ${oneLine(id, 1000)}: `, oneLine(text, 300), 4))
  return [[title(colors, name, count), ...texts].join('\n')]
}

function title(colors: Colors, name: string, count: number): string {
  return colors.bold(`${name} (${count})`)
}

/** Functions that color a text, or return it unchanged when colors are off. */
type Colors = Record<'red' | 'green' | 'yellow' | 'magenta' | 'bold' | 'dim', (text: string) => string>

export function createColors(enabled: boolean): Colors {
  return pc.createColors(enabled)
}

/** Returns the width of lines: of the terminal, or the environment variable COLUMNS; undefined if neither is known. */
export function lineWidth(stream: { columns?: number }, { COLUMNS }: Record<string, string | undefined>) {
  return stream.columns ?? (COLUMNS === undefined ? undefined : Number(COLUMNS) || undefined)
}

/** Whether to write colors to a stream: it is a terminal and `NO_COLOR` is not set. */
export function wantsColor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  return stream.isTTY === true && !env['NO_COLOR']
}
