import { ReportError } from './model/parse.ts'
import type { Report, RequirementResult, Verdict } from './model/report.ts'
import { isTested, summarize, worst } from './model/verdict.ts'

/**
 * Merges reports of parts of one run, such as shards.
 *
 * A requirement gets the worst verdict of its outcomes. It is undecided on an endpoint only if all reports say so. The sentence
 * and the exit code are computed again. Durations are added. `suite.seed` lists all seeds. Equal reports count once. If a
 * shard is missing, the merged report is `interrupted`.
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
  const notRun = unique(reports.flatMap((report) => report.notRun ?? []))
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
    ...mergeSpecification(reports),
    ...(notRun.length === 0 ? {} : { notRun: notRun.join('; ') }),
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
  const current = results.flatMap((result) => withoutDecided(result, results))
  const verdict = worst(current.map((result) => result.verdict))
  const deciding = current.filter((result) => result.verdict === verdict)
  const result = deciding.find(({ accepted }) => accepted !== true) ?? deciding[0]
  if (result === undefined) throw new RangeError('expected at least one result to merge')
  return { ...result, outcomes: current.flatMap(({ outcomes }) => outcomes) }
}

/**
 * Removes undecided outcomes on endpoints on which another report decides the requirement, as in a whole run: there, what
 * any check sends decides it. Returns nothing if no outcome is left.
 */
function withoutDecided(result: RequirementResult, all: readonly RequirementResult[]): readonly RequirementResult[] {
  const others = all.filter((other) => other !== result).flatMap(({ outcomes }) => outcomes)
  const decided = new Set(others.filter(({ verdict }) => isTested(verdict)).map(({ endpoint }) => endpoint))
  const isUndecided = (verdict: Verdict) => verdict === 'blocked' || verdict === 'inconclusive'
  const outcomes = result.outcomes.filter(({ endpoint, verdict }) => !isUndecided(verdict) || !decided.has(endpoint))
  if (outcomes.length === result.outcomes.length) return [result]
  if (outcomes.length === 0) return []
  return [{ ...result, outcomes, verdict: worst(outcomes.map(({ verdict }) => verdict)) }]
}

/** The statements that no report decided; nothing if a report has no statements. */
function mergeSpecification(reports: readonly Report[]): Pick<Report, 'specification'> {
  const [first, ...others] = reports.map(({ specification }) => specification)
  if (first === undefined || others.includes(undefined)) return {}
  const undecidedBy = (other: Report['specification'], section: string) =>
    other?.find((covered) => covered.section === section)?.undecided ?? []
  return {
    specification: first.map((covered) => ({
      ...covered,
      undecided: covered.undecided.filter((position) =>
        others.every((other) => undecidedBy(other, covered.section).includes(position)),
      ),
    })),
  }
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

/** Maximum number of missing shards that are listed. */
const maxListed = 10

/** The shards that a report covers, each as `i/n`; empty for a whole run. */
function shardsOf({ shard }: Report): string[] {
  return shard?.split(', ') ?? []
}

/**
 * A sentence with the shards that are missing from the reports, or undefined if they are complete.
 *
 * @example missingShards([{ ...report, shard: '1/3' }]) // 'shards 2/3 and 3/3 are missing'
 */
function missingShards(reports: readonly Report[]): string | undefined {
  const selections = Map.groupBy(reports, ({ selection }) => selection)
  const gaps = [...selections.values()].map(missingIn)
  const listed = [...new Set(gaps.flatMap(({ shards }) => shards))]
  const more = gaps.reduce((sum, gap) => sum + gap.more, 0)
  const texts = more > 0 ? [...listed, `${more} more`] : listed
  const last = texts.at(-1)
  if (last === undefined) return undefined
  return texts.length === 1
    ? `shard ${last} is missing`
    : `shards ${texts.slice(0, -1).join(', ')} and ${last} are missing`
}

/** The missing shards of reports with the same selection: the listed ones, and the number of others. */
function missingIn(reports: readonly Report[]): { shards: string[]; more: number } {
  const present = new Set(reports.flatMap(shardsOf).filter(isValid))
  // A run may have been divided several times, for example in halves and in thirds.
  const divisions = [...Map.groupBy(present, countOf)]
  const hasWholeRun = reports.some(({ shard }) => shard === undefined)
  if (hasWholeRun || divisions.some(([count, shards]) => shards.length === count)) return { shards: [], more: 0 }
  const shards: string[] = []
  for (const [count] of divisions) {
    for (let index = 1; index <= count && shards.length < maxListed; index += 1) {
      if (!present.has(`${index}/${count}`)) shards.push(`${index}/${count}`)
    }
  }
  const total = divisions.reduce((sum, [count, { length }]) => sum + count - length, 0)
  return { shards, more: total - shards.length }
}

function countOf(shard: string): number {
  return Number(shard.split('/')[1])
}

function isValid(shard: string): boolean {
  const index = Number(shard.split('/')[0])
  return index >= 1 && index <= countOf(shard)
}
