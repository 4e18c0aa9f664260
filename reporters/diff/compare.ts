import { because, causes } from '../findings.ts'
import type { Level, Outcome, Report, RequirementResult, Verdict } from '../model/report.ts'
import { isFailedMust, verdictOrder, worst } from '../model/verdict.ts'
import { differences } from './differences.ts'
import { type Identity, identityOf } from './identity.ts'

/** How a requirement stands in one of two reports. */
export interface Standing {
  level: Level
  verdict: Verdict
  /** The failure, what was observed, or what keeps it from being judged; absent where it simply holds. */
  why?: string
}

/** A requirement that the two reports do not tell alike. */
export interface Change {
  id: string
  /** Absent where the earlier report has no such row. */
  before?: Standing
  /** Absent where the later report has no such row. */
  after?: Standing
  /** Where it broke or was fixed; absent where the endpoints do not tell it apart. */
  endpoints?: string[]
  /** The requirement itself was worded or read differently. */
  reworded?: true
}

/** Two reports, compared row by row. */
export interface ReportDiff {
  version: 1
  before: Identity
  after: Identity
  /** Why the two may not compare like with like. */
  warnings: string[]
  /** Held before on an endpoint and no longer does. */
  broke: Change[]
  /** Did not hold before on an endpoint and does now. */
  fixed: Change[]
  /** Rows that the earlier register did not have, whatever their verdict. */
  newChecks: Change[]
  /** Rows that the later register no longer has. */
  retired: Change[]
  /** Any other change of a verdict, or of what was observed. */
  changed: Change[]
  /** Rows that one report left out because it judged a part only. */
  onlyBefore: Change[]
  onlyAfter: Change[]
  /** Number of rows that are told alike. */
  unchanged: number
  /** Ids of those of them that are a MUST which fails, then and now. */
  stillFailing: string[]
}

/** Compares two reports; `sources` name them, for example by their files. */
export function compareReports(
  before: Report,
  after: Report,
  sources: { before: string; after: string } = { before: 'before', after: 'after' },
): ReportDiff {
  const old = new Map(before.requirements.map((row) => [row.id, row]))
  const present = new Set(after.requirements.map(({ id }) => id))
  const shared = sharedEndpoints(before, after)
  const otherRegister = before.suite.catalogHash !== after.suite.catalogHash
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
  for (const row of after.requirements) {
    const earlier = old.get(row.id)
    if (earlier === undefined) {
      const isNew = otherRegister && isWhole(before)
      diff[isNew ? 'newChecks' : 'onlyAfter'].push({ id: row.id, after: standing(row) })
      continue
    }
    const { kind, endpoints } = kindOf(earlier, row, shared)
    if (kind === 'unchanged') {
      diff.unchanged += 1
      if (isFailedMust(row)) diff.stillFailing.push(row.id)
    } else diff[kind].push(change(earlier, row, endpoints))
  }
  for (const row of before.requirements) {
    if (present.has(row.id)) continue
    const isRetired = otherRegister && isWhole(after)
    diff[isRetired ? 'retired' : 'onlyBefore'].push({ id: row.id, before: standing(row) })
  }
  for (const list of [diff.broke, diff.newChecks, diff.changed]) list.sort(byVerdict)
  return diff
}

/** Whether a report holds every row of its register. */
function isWhole({ selection, shard }: Report): boolean {
  return selection === undefined && shard === undefined
}

type Kind = 'broke' | 'fixed' | 'changed' | 'unchanged'

/** What a server does not meet; a failure of the baseline counts by its outcomes. */
const unmet: readonly Verdict[] = ['fail', 'flaky', 'warning', 'expected-fail']

function kindOf(
  before: RequirementResult,
  after: RequirementResult,
  shared: readonly string[],
): { kind: Kind; endpoints?: string[] } {
  const [earlier, later] = [verdictsOf(before, shared), verdictsOf(after, shared)]
  const changedTo = (from: (verdict: Verdict) => boolean, to: (verdict: Verdict) => boolean) =>
    [...later].flatMap(([endpoint, verdict]) => {
      const was = earlier.get(endpoint)
      return was !== undefined && from(was) && to(verdict) ? [endpoint] : []
    })
  const holds = (verdict: Verdict) => verdict === 'pass'
  const fails = (verdict: Verdict) => unmet.includes(verdict)
  // What the baseline of the later run knows has been accepted by its owner: it is told, but it breaks nothing.
  const broken = after.verdict === 'expected-fail' ? [] : changedTo(holds, fails)
  if (broken.length > 0) return { kind: 'broke', ...named(broken) }
  const fixed = changedTo(fails, holds)
  if (fixed.length > 0) return { kind: 'fixed', ...named(fixed) }
  if (before.verdict !== after.verdict || before.level !== after.level) return { kind: 'changed' }
  const observed = after.verdict === 'observed' ? observedElse(before, after) : []
  return observed.length > 0 ? { kind: 'changed', ...named(observed) } : { kind: 'unchanged' }
}

/** Stands for all endpoints where the reports have none in common. */
const everywhere = ''

/** The verdict on each endpoint that both reports have. */
function verdictsOf(row: RequirementResult, shared: readonly string[]): Map<string, Verdict> {
  if (shared.length === 0 || row.outcomes.length === 0) return new Map([[everywhere, row.verdict]])
  const on = Map.groupBy(row.outcomes, ({ endpoint }) => endpoint)
  return new Map(
    shared.flatMap((endpoint) => {
      const outcomes = on.get(endpoint)
      return outcomes === undefined ? [] : [[endpoint, worst(outcomes.map(({ verdict }) => verdict))] as const]
    }),
  )
}

function named(endpoints: readonly string[]): { endpoints?: string[] } {
  const names = endpoints.filter((name) => name !== everywhere)
  return names.length > 0 ? { endpoints: names } : {}
}

function sharedEndpoints(before: Report, after: Report): string[] {
  const known = new Set(before.target.endpoints.map(({ name }) => name))
  return [...new Set(after.target.endpoints.map(({ name }) => name))].filter((name) => known.has(name))
}

/** The endpoints of both rows on which something else is observed now. */
function observedElse(before: RequirementResult, after: RequirementResult): string[] {
  const earlier = observations(before)
  return [...observations(after)].flatMap(([endpoint, text]) =>
    earlier.has(endpoint) && earlier.get(endpoint) !== text ? [endpoint] : [],
  )
}

/** What was seen on each endpoint, without ids and times: these differ from run to run. */
function observations(row: RequirementResult): Map<string, string> {
  const on = Map.groupBy(row.outcomes, ({ endpoint }: Outcome) => endpoint)
  return new Map(
    [...on].map(([endpoint, outcomes]) => {
      const texts = outcomes.map(({ check, observation = '' }) => `${check}: ${timeless(observation)}`)
      return [endpoint, [...new Set(texts)].sort().join('\n')]
    }),
  )
}

function timeless(text: string): string {
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

/** How a row stands; `endpoints` narrows what explains it. */
function standing(row: RequirementResult, endpoints?: readonly string[]): Standing {
  const outcomes = row.outcomes.filter(({ endpoint }) => endpoints?.includes(endpoint) ?? true)
  const silent = row.verdict === 'pass' || (causes({ ...row, outcomes }).length === 0 && row.reason === undefined)
  return { level: row.level, verdict: row.verdict, ...(silent ? {} : { why: because({ ...row, outcomes }) }) }
}

function byVerdict(a: Change, b: Change): number {
  const rank = ({ after }: Change) => (after === undefined ? 0 : verdictOrder.indexOf(after.verdict))
  return rank(a) - rank(b)
}
