import { ReportError } from './model/read.ts'
import type { Report, RequirementResult } from './model/report.ts'
import { summarize, worst } from './model/verdict.ts'
import { missingShards, shardsOf } from './shards.ts'

/**
 * Merges reports of parts of one run, such as shards.
 *
 * A requirement keeps all its outcomes and gets the worst verdict. The sentence and the exit code are computed again.
 * Durations are added. `suite.seed` lists all seeds. Equal reports count once. If a shard is missing, the merged report is
 * `interrupted`.
 *
 * @throws ReportError if the reports have different suite versions, catalogs or targets.
 */
export function mergeReports(parts: readonly Report[]): Report {
  const reports = unique(parts)
  const [first, ...others] = reports
  if (first === undefined) throw new ReportError('Expected at least one report, received none.')
  for (const other of others) assertSameRun(first, other)

  const requirements = mergeRequirements(reports)
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
  const properties: [string, (report: Report) => string | undefined][] = [
    ['suite version', (report) => report.suite.version],
    ['catalog hash', (report) => report.suite.catalogHash],
    ['target', (report) => report.target.name],
    ['target version', (report) => report.target.version],
  ]
  for (const [name, select] of properties) {
    const [expected, received] = [select(first), select(other)]
    if (expected === received) continue
    throw new ReportError(
      `Expected reports of one run, received ${name} ${expected ?? '(none)'} in one and ${received ?? '(none)'} in another. Merge only reports of one suite and one target.`,
    )
  }
}

function mergeRequirements(reports: readonly Report[]): RequirementResult[] {
  const byId = Map.groupBy(
    reports.flatMap((report) => report.requirements),
    ({ id }) => id,
  )
  return [...byId.values()].map(mergeResults)
}

function mergeResults(results: readonly RequirementResult[]): RequirementResult {
  const verdict = worst(results.map((result) => result.verdict))
  const deciding = results.filter((result) => result.verdict === verdict)
  const result = deciding.find(({ accepted }) => accepted !== true) ?? deciding[0]
  if (result === undefined) throw new RangeError('expected at least one result to merge')
  return { ...result, outcomes: results.flatMap(({ outcomes }) => outcomes) }
}

type Scope = Pick<Report, 'shard' | 'selection' | 'interrupted'>

/** What the reports cover together: no shard or selection if they cover a whole run. */
function mergeScope(reports: readonly Report[]): Scope {
  const hasWholeRun = reports.some((report) => report.shard === undefined && report.selection === undefined)
  const missing = hasWholeRun ? undefined : missingShards(reports)
  const reasons = unique([...reports.flatMap(interruptions), ...(missing === undefined ? [] : [missing])])
  const interrupted = reasons.length === 0 ? {} : { interrupted: reasons.join('; ') }
  if (hasWholeRun) return interrupted
  const selections = unique(reports.map((report) => report.selection ?? 'all'))
  const selection = selections.length === 1 ? reports[0]?.selection : selections.join(' + ')
  const shards = unique(reports.flatMap(shardsOf))
  const isComplete = missing === undefined && selections.length === 1
  return {
    ...interrupted,
    ...(selection === undefined ? {} : { selection }),
    ...(isComplete || shards.length === 0 ? {} : { shard: shards.join(', ') }),
  }
}

/** Why a run ended early, without the shards that were missing in an earlier merge: they may be here now. */
function interruptions(report: Report): string[] {
  const missing = missingShards([report])
  return report.interrupted?.split('; ').filter((reason) => reason !== missing) ?? []
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
