import { causes } from '../causes.ts'
import { explain } from '../findings.ts'
import type { Level, Report, RequirementResult, Verdict } from '../model/report.ts'
import { isFailedMust, verdictOrder, worst } from '../model/verdict.ts'
import { shownEndpoints } from '../summary.ts'
import { differences } from './differences.ts'

/** The target, suite and verdict of a report. */
export interface Identity {
  /** A name for the report, for example its file name. */
  source: string
  target: { name: string; version?: string; endpoints: { name: string; url: string }[] }
  suite: { version: string; catalogHash: string; seed: string }
  /** ISO 8601. */
  startedAt: string
  sentence: string
  exitCode: Report['verdict']['exitCode']
}

function identityOf(report: Report, source: string): Identity {
  const { target, suite, startedAt, verdict } = report
  return {
    source,
    target: {
      name: target.name,
      ...(target.version === undefined ? {} : { version: target.version }),
      endpoints: shownEndpoints(report).map(({ name, url }) => ({ name, url })),
    },
    suite: { version: suite.version, catalogHash: suite.catalogHash, seed: suite.seed },
    startedAt,
    sentence: verdict.sentence,
    exitCode: verdict.exitCode,
  }
}

/** The level and verdict of a requirement in one of two reports. */
export interface Standing {
  level: Level
  verdict: Verdict
  /** The reason for the verdict or the observation; absent if the requirement passes. */
  why?: string
}

/** A requirement with different results in the two reports. */
export interface Change {
  id: string
  /** Absent if the earlier report does not have the requirement. */
  before?: Standing
  /** Absent if the later report does not have the requirement. */
  after?: Standing
  /** The endpoints on which it broke or was fixed; absent if the reports have no endpoint in common. */
  endpoints?: string[]
  /** The statement or interpretation of the requirement changed. */
  reworded?: true
}

/** The differences between two reports, by requirement. */
export interface ReportDiff {
  version: 1
  before: Identity
  after: Identity
  /** Differences between the runs that make a comparison unreliable. */
  warnings: string[]
  /** Passed on an endpoint before and fails there now. */
  broke: Change[]
  /** Failed on an endpoint before and passes there now. */
  fixed: Change[]
  /** Requirements that are not in the earlier catalog. */
  newChecks: Change[]
  /** Requirements that are not in the later catalog. */
  retired: Change[]
  /** Any other change of a verdict or an observation. */
  changed: Change[]
  /** Requirements that one report does not have because of its selection or shard. */
  onlyBefore: Change[]
  onlyAfter: Change[]
  /** Number of requirements with equal results. */
  unchanged: number
  /** Ids of unchanged requirements that are a failed MUST. */
  stillFailing: string[]
}

/** Compares two reports. `sources` are names for them, for example file names. */
export function compareReports(
  before: Report,
  after: Report,
  sources: { before: string; after: string } = { before: 'before', after: 'after' },
): ReportDiff {
  const earlierResults = new Map(before.requirements.map((requirement) => [requirement.id, requirement]))
  const laterIds = new Set(after.requirements.map(({ id }) => id))
  const shared = sharedEndpoints(before, after)
  const catalogsDiffer = before.suite.catalogHash !== after.suite.catalogHash
  const diff: ReportDiff = {
    version: 1,
    before: identityOf(before, sources.before),
    after: identityOf(after, sources.after),
    warnings: differences(before, after),
    broke: [],
    fixed: [],
    newChecks: [],
    retired: [],
    changed: [],
    onlyBefore: [],
    onlyAfter: [],
    unchanged: 0,
    stillFailing: [],
  }
  for (const later of after.requirements) {
    const earlier = earlierResults.get(later.id)
    if (earlier === undefined) {
      const isNew = catalogsDiffer && isComplete(before)
      diff[isNew ? 'newChecks' : 'onlyAfter'].push({ id: later.id, after: standing(later) })
      continue
    }
    const { kind, endpoints } = classify(earlier, later, shared)
    if (kind === 'unchanged') {
      diff.unchanged += 1
      if (isFailedMust(later)) diff.stillFailing.push(later.id)
    } else diff[kind].push(change(earlier, later, endpoints))
  }
  for (const earlier of before.requirements) {
    if (laterIds.has(earlier.id)) continue
    const isRetired = catalogsDiffer && isComplete(after)
    diff[isRetired ? 'retired' : 'onlyBefore'].push({ id: earlier.id, before: standing(earlier) })
  }
  for (const list of [diff.broke, diff.newChecks, diff.changed]) list.sort(byVerdict)
  return diff
}

/** Whether a report has every requirement of its catalog. */
function isComplete({ selection, shard }: Report): boolean {
  return selection === undefined && shard === undefined
}

type Kind = 'broke' | 'fixed' | 'changed' | 'unchanged'

/** Verdicts of a requirement that the server does not pass. */
const failing: readonly Verdict[] = ['fail', 'flaky', 'warning', 'expected-fail']

function classify(
  before: RequirementResult,
  after: RequirementResult,
  shared: readonly string[],
): { kind: Kind; endpoints?: string[] } {
  const [earlier, later] = [verdictsByEndpoint(before, shared), verdictsByEndpoint(after, shared)]
  const changedTo = (from: (verdict: Verdict) => boolean, to: (verdict: Verdict) => boolean) =>
    [...later].flatMap(([endpoint, verdict]) => {
      const previous = earlier.get(endpoint)
      return previous !== undefined && from(previous) && to(verdict) ? [endpoint] : []
    })
  const passes = (verdict: Verdict) => verdict === 'pass'
  const fails = (verdict: Verdict) => failing.includes(verdict)
  // A failure in the baseline of the later run is accepted, so it is listed but does not count as broken.
  const broken = after.verdict === 'expected-fail' ? [] : changedTo(passes, fails)
  if (broken.length > 0) return { kind: 'broke', ...withEndpoints(broken) }
  const fixed = changedTo(fails, passes)
  if (fixed.length > 0) return { kind: 'fixed', ...withEndpoints(fixed) }
  if (before.verdict !== after.verdict || before.level !== after.level) return { kind: 'changed' }
  const observed = after.verdict === 'observed' ? changedObservations(before, after) : []
  return observed.length > 0 ? { kind: 'changed', ...withEndpoints(observed) } : { kind: 'unchanged' }
}

/** A key for all endpoints together, for reports without a common endpoint. */
const allEndpoints = ''

/** The verdict on each endpoint that both reports have. */
function verdictsByEndpoint(requirement: RequirementResult, shared: readonly string[]): Map<string, Verdict> {
  const { verdict, outcomes } = requirement
  if (shared.length === 0 || outcomes.length === 0) return new Map([[allEndpoints, verdict]])
  const byEndpoint = Map.groupBy(outcomes, ({ endpoint }) => endpoint)
  return new Map(
    shared.flatMap((endpoint) => {
      const group = byEndpoint.get(endpoint)
      return group === undefined ? [] : [[endpoint, worst(group.map((outcome) => outcome.verdict))] as const]
    }),
  )
}

function withEndpoints(endpoints: readonly string[]): { endpoints?: string[] } {
  const names = endpoints.filter((name) => name !== allEndpoints)
  return names.length > 0 ? { endpoints: names } : {}
}

function sharedEndpoints(before: Report, after: Report): string[] {
  const earlier = new Set(before.target.endpoints.map(({ name }) => name))
  return [...new Set(after.target.endpoints.map(({ name }) => name))].filter((name) => earlier.has(name))
}

/** The endpoints with another observation than before. */
function changedObservations(before: RequirementResult, after: RequirementResult): string[] {
  const earlier = observations(before)
  return [...observations(after)].flatMap(([endpoint, text]) =>
    earlier.has(endpoint) && earlier.get(endpoint) !== text ? [endpoint] : [],
  )
}

/** The observations on each endpoint, without ids and times, which differ in each run. */
function observations({ outcomes }: RequirementResult): Map<string, string> {
  const byEndpoint = Map.groupBy(outcomes, ({ endpoint }) => endpoint)
  return new Map(
    [...byEndpoint].map(([endpoint, group]) => {
      const texts = group.map(({ check, observation = '' }) => `${check}: ${normalized(observation)}`)
      return [endpoint, [...new Set(texts)].sort().join('\n')]
    }),
  )
}

function normalized(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?/g, '<time>')
}

function change(before: RequirementResult, after: RequirementResult, endpoints: string[] | undefined): Change {
  const reworded = before.statement !== after.statement || before.interpretation !== after.interpretation
  return {
    id: after.id,
    before: standing(before, endpoints),
    after: standing(after, endpoints),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(reworded ? { reworded } : {}),
  }
}

/** The level and verdict of a requirement. The reason is taken from `endpoints`, or from all endpoints. */
function standing(requirement: RequirementResult, endpoints?: readonly string[]): Standing {
  const { level, verdict, reason } = requirement
  const outcomes = requirement.outcomes.filter(({ endpoint }) => endpoints?.includes(endpoint) ?? true)
  const narrowed = { ...requirement, outcomes }
  const hasReason = verdict !== 'pass' && (causes(narrowed).length > 0 || reason !== undefined)
  return { level, verdict, ...(hasReason ? { why: explain(narrowed) } : {}) }
}

function byVerdict(a: Change, b: Change): number {
  const rank = ({ after }: Change) => (after === undefined ? 0 : verdictOrder.indexOf(after.verdict))
  return rank(a) - rank(b)
}
