import type { Report, RequirementResult } from './model/report.ts'
import { ReportError } from './model/report-error.ts'
import { summarize, worst } from './model/verdict.ts'
import { missingShards, shardsOf } from './shards.ts'

/**
 * Unites reports of parts of one run, such as shards: rows by id with all their outcomes and the worst verdict; sentence
 * and exit code computed anew. Durations add up. Differing seeds are all named in `suite.seed`. The same report counts
 * once. A shard that is missing makes the whole `interrupted`.
 *
 * @throws ReportError where the parts are of different suites, registers or targets: one verdict over them would mean
 * nothing.
 */
export function mergeReports(parts: readonly Report[]): Report {
  const reports = unique(parts)
  const [first, ...others] = reports
  if (first === undefined) throw new ReportError('No report to merge: expected at least one.')
  for (const other of others) assertSameRun(first, other)

  const requirements = mergeRows(reports)
  const staleBaseline = unique(reports.flatMap((report) => report.staleBaseline))
  const problems = unique(reports.flatMap((report) => report.problems))
  const scope = mergeScope(reports)
  return {
    version: first.version,
    ...scope,
    suite: { ...first.suite, seed: unique(reports.map((report) => report.suite.seed)).join(', ') },
    startedAt: reports.map((report) => report.startedAt).reduce((a, b) => (a < b ? a : b)),
    durationMs: reports.reduce((sum, report) => sum + report.durationMs, 0),
    repeat: Math.min(...reports.map((report) => report.repeat)),
    target: { ...first.target, endpoints: unique(reports.flatMap((report) => report.target.endpoints)) },
    verdict: summarize(requirements, staleBaseline, problems, scope),
    staleBaseline,
    problems,
    requirements,
  }
}

function assertSameRun(first: Report, other: Report): void {
  const identity: [string, (report: Report) => string | undefined][] = [
    ['suite version', (report) => report.suite.version],
    ['register hash', (report) => report.suite.catalogHash],
    ['target', (report) => report.target.name],
    ['target version', (report) => report.target.version],
  ]
  for (const [name, of] of identity) {
    if (of(first) === of(other)) continue
    throw new ReportError(
      `These reports are not parts of one run: ${name} ${of(first) ?? 'not given'} in one, ${of(other) ?? 'not given'} in another; merge reports of one suite and one target only.`,
    )
  }
}

function mergeRows(reports: readonly Report[]): RequirementResult[] {
  const parts = new Map<string, RequirementResult[]>()
  for (const row of reports.flatMap((report) => report.requirements)) {
    const known = parts.get(row.id)
    if (known) known.push(row)
    else parts.set(row.id, [row])
  }
  return [...parts.values()].map(mergeRow)
}

function mergeRow(parts: readonly RequirementResult[]): RequirementResult {
  const verdict = worst(parts.map((part) => part.verdict))
  const deciding = parts.filter((part) => part.verdict === verdict)
  const row = deciding.find((part) => part.accepted !== true) ?? deciding[0]
  if (row === undefined) throw new RangeError('a row has at least one part')
  return { ...row, outcomes: parts.flatMap((part) => part.outcomes) }
}

type Scope = Pick<Report, 'shard' | 'selection' | 'interrupted'>

/** What the parts cover together: nothing is named where they cover all that a single run would. */
function mergeScope(reports: readonly Report[]): Scope {
  const all = reports.some((report) => report.shard === undefined && report.selection === undefined)
  const missing = all ? undefined : missingShards(reports)
  const reasons = unique([...reports.flatMap(ownInterruptions), ...(missing === undefined ? [] : [missing])])
  const ended = reasons.length === 0 ? {} : { interrupted: reasons.join('; ') }
  if (all) return ended
  const selections = unique(reports.map((report) => report.selection ?? 'all'))
  const selection = selections.length === 1 ? reports[0]?.selection : selections.join(' + ')
  const shards = unique(reports.flatMap(shardsOf))
  const whole = missing === undefined && selections.length === 1
  return {
    ...ended,
    ...(selection === undefined ? {} : { selection }),
    ...(whole || shards.length === 0 ? {} : { shard: shards.join(', ') }),
  }
}

/** Why a part itself ended early: shards that an earlier merge lacked may be among the parts now. */
function ownInterruptions(report: Report): string[] {
  const lacked = missingShards([report])
  return report.interrupted?.split('; ').filter((reason) => reason !== lacked) ?? []
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
