import type { Report, RequirementResult, Verdict } from './report.ts'
import { oneLine, plural } from './text.ts'

/**
 * All verdicts from worst to best. Failures of the target come before errors of Touchstone, so that an error on one
 * endpoint hides no failure on another. A requirement that was not decided comes before one that passed with a warning.
 */
export const verdictOrder: readonly Verdict[] = [
  'fail',
  'flaky',
  'error',
  'blocked',
  'inconclusive',
  'warning',
  'expected-fail',
  'observed',
  'pass',
  'not-applicable',
  'excluded',
]

const tested: readonly Verdict[] = ['fail', 'flaky', 'warning', 'expected-fail', 'pass']

/** Whether the requirement was tested, with any result. */
export function isTested(verdict: Verdict): boolean {
  return tested.includes(verdict)
}

/** What was selected and how the run ended. A whole `Report` is accepted too. */
export type Scope = Pick<Report, 'interrupted' | 'selection' | 'shard'>

/**
 * The verdict of a requirement from those of its endpoints and repeats; `inconclusive` when there are none.
 *
 * @example worst(['pass', 'expected-fail']) // 'expected-fail'
 */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdictOrder.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** Verdicts of outcomes that explain a verdict combined from several outcomes, or changed by the baseline. */
const decisive: Partial<Record<Verdict, readonly Verdict[]>> = {
  fail: ['fail', 'flaky', 'error'],
  flaky: ['fail', 'flaky', 'error', 'warning'],
  'expected-fail': ['expected-fail', 'fail', 'flaky', 'warning', 'blocked'],
}

/** Whether an outcome with a verdict explains the verdict of its requirement. */
export function isDecisive(verdict: Verdict, outcome: Verdict): boolean {
  return verdict === outcome || (decisive[verdict]?.includes(outcome) ?? false)
}

/** The number of requirements for every verdict, zeros included, from worst to best. */
export function counts(requirements: readonly Pick<RequirementResult, 'verdict'>[]): Record<Verdict, number> {
  const result = Object.fromEntries(verdictOrder.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const requirement of requirements) result[requirement.verdict] += 1
  return result
}

/** Whether the configuration accepts the requirement as a gap. Only an undecided requirement can be accepted, never a failure. */
export function isAcceptedGap(requirement: RequirementResult): boolean {
  return requirement.accepted === true && ['blocked', 'inconclusive', 'not-applicable'].includes(requirement.verdict)
}

/** Whether the requirement makes a run non-conformant: a MUST that fails or is flaky. */
export function isFailedMust(requirement: RequirementResult): boolean {
  return requirement.level === 'MUST' && isFailure(requirement)
}

/** Whether the requirement could not be tested because another one fails, and is not an accepted gap. */
export function isBlocked(requirement: RequirementResult): boolean {
  return requirement.verdict === 'blocked' && !isAcceptedGap(requirement)
}

/** Whether the requirement could not be tested for another reason, and is not an accepted gap. */
function isInconclusive(requirement: RequirementResult): boolean {
  return requirement.verdict === 'inconclusive' && !isAcceptedGap(requirement)
}

/** Whether the requirement is a warning: a SHOULD that fails, on at least one endpoint or repeat. */
export function isWarning(requirement: RequirementResult): boolean {
  return requirement.verdict === 'warning' || (requirement.level !== 'MUST' && isFailure(requirement))
}

/**
 * The verdict of a run from its requirements: result, sentence and exit code.
 *
 * Exit codes, the first that applies: 1 when a MUST fails or is flaky, or a baseline entry is stale. 2 when something went
 * wrong in Touchstone. 3 when a MUST or SHOULD that is not an accepted gap was not decided, nothing passed, or the run
 * ended early. Otherwise 0.
 *
 * @example summarize(report.requirements, report.staleBaseline, report.problems, report)
 */
export function summarize(
  requirements: readonly RequirementResult[],
  staleBaseline: Report['staleBaseline'],
  problems: readonly string[],
  scope: Scope = {},
): Report['verdict'] {
  const failures = requirements.filter(isFailedMust)
  const failed = failures.length
  const flaky = count(failures, 'flaky')
  const errors = count(requirements, 'error')
  const required = requirements.filter(
    (requirement) => (requirement.level === 'MUST' || requirement.level === 'SHOULD') && !isAcceptedGap(requirement),
  )
  // As in the table and the legend: of all levels.
  const inconclusive = requirements.filter(isInconclusive).length
  const blocked = requirements.filter(isBlocked).length
  const all = requirements.filter((requirement) => isTested(requirement.verdict)).length
  const passed = count(requirements, 'pass')
  const warnings = requirements.filter(isWarning).length

  const exitCode =
    failed + staleBaseline.length > 0
      ? 1
      : errors + problems.length > 0
        ? 2
        : count(required, 'inconclusive') + count(required, 'blocked') > 0 ||
            passed === 0 ||
            scope.interrupted !== undefined
          ? 3
          : 0
  const where = endpoints(requirements)
  const clauses = [
    failed > 0
      ? `${failed} of ${plural(all, 'tested requirement')} ${failed === 1 ? 'fails' : 'fail'}${where}`
      : all === 0
        ? 'no requirement was tested'
        : `${passed} of ${plural(all, 'tested requirement')} ${passed === 1 ? 'passes' : 'pass'}${where}`,
    flaky > 0 && `${flaky} of them flaky`,
    staleBaseline.length > 0 && plural(staleBaseline.length, 'stale baseline entry', 'stale baseline entries'),
    errors > 0 && plural(errors, 'error in Touchstone', 'errors in Touchstone'),
    problems.length > 0 && plural(problems.length, 'problem of the run', 'problems of the run'),
    scope.interrupted !== undefined && `interrupted (${oneLine(scope.interrupted, 200)})`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    blocked > 0 && `${blocked} blocked`,
    count(requirements, 'expected-fail') > 0 &&
      plural(count(requirements, 'expected-fail'), 'known failure in the baseline', 'known failures in the baseline'),
    requirements.some(isAcceptedGap) && plural(requirements.filter(isAcceptedGap).length, 'accepted gap'),
    warnings > 0 && plural(warnings, 'warning'),
  ]
  return {
    result: results[exitCode],
    sentence: `${heads[exitCode]}${selected(scope)}: ${clauses.filter((clause) => clause !== false).join(', ')}`,
    exitCode,
  }
}

const results = { 0: 'conformant', 1: 'non-conformant', 2: 'error', 3: 'incomplete' } as const
const heads = { 0: 'Conformant', 1: 'Not conformant', 2: 'Error', 3: 'Incomplete' } as const

function count(requirements: readonly RequirementResult[], verdict: Verdict): number {
  return requirements.filter((requirement) => requirement.verdict === verdict).length
}

function isFailure(requirement: RequirementResult): boolean {
  return requirement.verdict === 'fail' || requirement.verdict === 'flaky'
}

function endpoints(requirements: readonly RequirementResult[]): string {
  const names = new Set<string>()
  for (const requirement of requirements)
    for (const outcome of requirement.outcomes) if (isTested(outcome.verdict)) names.add(oneLine(outcome.endpoint, 80))
  return names.size > 0 ? ` (${[...names].join(', ')})` : ''
}

function selected({ shard, selection }: Scope): string {
  const parts = [shard !== undefined && `shard ${shard}`, selection].filter((part) => typeof part === 'string')
  return parts.length > 0 ? ` for the selection (${oneLine(parts.join('; '), 200)})` : ''
}
