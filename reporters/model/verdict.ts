import type { Report, ReportRow, Verdict } from './report.ts'
import { oneLine, plural } from './text.ts'

/**
 * All verdicts from worst to best. What the target does wrong stands before our own fault, so that a fault of the suite
 * on one endpoint hides no failure on another; what was not seen stands before what was seen and tolerated.
 */
export const verdictOrder: readonly Verdict[] = [
  'fail',
  'flaky',
  'harness-error',
  'blocked',
  'could-not-run',
  'warn',
  'expected-fail',
  'observed',
  'pass',
  'not-applicable',
  'excluded',
]

const judged: readonly Verdict[] = ['fail', 'flaky', 'warn', 'expected-fail', 'pass']

/** What was selected and how the run ended; a whole `Report` will do. */
export type Scope = Pick<Report, 'interrupted' | 'selection' | 'shard'>

/**
 * The verdict of a row from those of its endpoints and repeats. Where nothing was seen it is `could-not-run`.
 *
 * @example worst(['pass', 'expected-fail']) // 'expected-fail'
 */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdictOrder.find((verdict) => verdicts.includes(verdict)) ?? 'could-not-run'
}

/** The number of rows for every verdict, zeros included, from worst to best. */
export function counts(rows: readonly Pick<ReportRow, 'verdict'>[]): Record<Verdict, number> {
  const result = Object.fromEntries(verdictOrder.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const row of rows) result[row.verdict] += 1
  return result
}

/** Whether a row is one that the configuration accepts as a gap: acceptance excuses what was not judged, never a failure. */
export function isAcceptedGap(row: ReportRow): boolean {
  return row.accepted === true && ['blocked', 'could-not-run', 'not-applicable'].includes(row.verdict)
}

/** Whether a row makes a run non-conformant: a MUST that fails or is flaky. */
export function isUnmet(row: ReportRow): boolean {
  return row.level === 'MUST' && isFailure(row)
}

/** Whether a row is advice not followed: a SHOULD that was not met, at least now and then. */
export function isAdvised(row: ReportRow): boolean {
  return row.verdict === 'warn' || (row.level !== 'MUST' && isFailure(row))
}

/**
 * The verdict of a run from its rows: result, sentence and exit code.
 *
 * 1 where a MUST fails or is flaky, or a baseline entry is stale; else 2 where something went wrong on our side; else 3
 * where a MUST or SHOULD that nobody accepted was not judged, nothing at all holds, or the run ended early; else 0. Only
 * the sentence of exit code 0 holds the word `conformant`.
 *
 * @example summarise(report.requirements, report.staleBaseline, report.problems, report)
 */
export function summarise(
  rows: readonly ReportRow[],
  staleBaseline: Report['staleBaseline'],
  problems: readonly string[],
  scope: Scope = {},
): Report['verdict'] {
  const unmet = rows.filter(isUnmet)
  const failed = unmet.length
  const flaky = count(unmet, 'flaky')
  const broken = count(rows, 'harness-error')
  const owed = rows.filter((row) => (row.level === 'MUST' || row.level === 'SHOULD') && !isAcceptedGap(row))
  const unseen = count(owed, 'could-not-run')
  const blocked = count(owed, 'blocked')
  const all = rows.filter((row) => judged.includes(row.verdict)).length
  const held = count(rows, 'pass')
  const advised = rows.filter(isAdvised).length

  const exitCode =
    failed + staleBaseline.length > 0
      ? 1
      : broken + problems.length > 0
        ? 2
        : unseen + blocked > 0 || held === 0 || scope.interrupted !== undefined
          ? 3
          : 0
  const where = endpoints(rows)
  const clauses = [
    failed > 0
      ? `${failed} of ${plural(all, 'judged requirement')} ${failed === 1 ? 'fails' : 'fail'}${where}`
      : all === 0
        ? 'no requirement was judged'
        : `${held} of ${plural(all, 'judged requirement')} ${held === 1 ? 'holds' : 'hold'}${where}`,
    flaky > 0 && `${flaky} of them flaky`,
    staleBaseline.length > 0 && plural(staleBaseline.length, 'stale baseline entry', 'stale baseline entries'),
    broken > 0 && `${broken} met a fault of the suite`,
    problems.length > 0 && plural(problems.length, 'problem of the run', 'problems of the run'),
    scope.interrupted !== undefined && `interrupted (${oneLine(scope.interrupted, 200)})`,
    unseen > 0 && `${unseen} could not run`,
    blocked > 0 && `${blocked} blocked`,
    count(rows, 'expected-fail') > 0 &&
      plural(count(rows, 'expected-fail'), 'known failure in the baseline', 'known failures in the baseline'),
    rows.some(isAcceptedGap) && plural(rows.filter(isAcceptedGap).length, 'accepted gap'),
    advised > 0 && plural(advised, 'advised point not met', 'advised points not met'),
  ]
  return {
    result: results[exitCode],
    sentence: `${heads[exitCode]}${selected(scope)}: ${clauses.filter((clause) => clause !== false).join(', ')}`,
    exitCode,
  }
}

const results = { 0: 'conformant', 1: 'non-conformant', 2: 'harness-error', 3: 'incomplete' } as const
const heads = { 0: 'conformant', 1: 'NOT met', 2: 'harness error', 3: 'incomplete' } as const

function count(rows: readonly ReportRow[], verdict: Verdict): number {
  return rows.filter((row) => row.verdict === verdict).length
}

function isFailure(row: ReportRow): boolean {
  return row.verdict === 'fail' || row.verdict === 'flaky'
}

function endpoints(rows: readonly ReportRow[]): string {
  const names = new Set<string>()
  for (const row of rows)
    for (const outcome of row.outcomes) if (judged.includes(outcome.verdict)) names.add(oneLine(outcome.endpoint, 80))
  return names.size > 0 ? ` (${[...names].join(', ')})` : ''
}

function selected({ shard, selection }: Scope): string {
  const parts = [shard !== undefined && `shard ${shard}`, selection].filter((part) => typeof part === 'string')
  return parts.length > 0 ? ` on what was selected (${oneLine(parts.join('; '), 200)})` : ''
}
