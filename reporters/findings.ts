import type { Outcome, Report, RequirementResult, Verdict } from './model/report.ts'
import { isAcceptedGap, isFailedMust, isWarning } from './model/verdict.ts'

/** Rows that share what stands in their way. */
export interface Group {
  cause: string
  /** What was seen, in at most three different texts. */
  why: string[]
  rows: RequirementResult[]
}

/** The rows of a report in the groups that every format for humans shows, in this order. */
export interface Findings {
  failures: RequirementResult[]
  /** By the row that failed. */
  blocked: Group[]
  /** By the setting that would let them run. */
  inconclusive: Group[]
  warned: RequirementResult[]
  accepted: RequirementResult[]
  known: RequirementResult[]
  observed: RequirementResult[]
  /** By the reason that the row itself names, such as a kind of endpoint that the target lacks. */
  notApplicable: Group[]
}

/** Sorts the rows of a report into what a reader has to act on. */
export function findings(report: Report): Findings {
  const accepted = report.requirements.filter(isAcceptedGap)
  const rows = report.requirements.filter((row) => !isAcceptedGap(row))
  const having = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict)
  return {
    failures: rows.filter((row) => isFailedMust(row) || row.verdict === 'error'),
    blocked: groups(having('blocked'), (outcome) => outcome.blockedBy),
    inconclusive: groups(having('inconclusive'), (outcome) => outcome.unlock),
    warned: rows.filter(isWarning),
    accepted,
    known: having('expected-fail'),
    observed: having('observed'),
    notApplicable: groups(
      having('not-applicable').filter((row) => row.reason !== undefined),
      () => undefined,
    ),
  }
}

/** One way in which a row went wrong, with how often it was seen. */
export interface Cause {
  outcome: Outcome
  times: number
}

/** The outcomes that decided a row; repeats of the same finding on an endpoint are counted, not repeated. */
export function causes(row: RequirementResult): Cause[] {
  const found = new Map<string, Cause>()
  for (const outcome of row.outcomes) {
    if (!isDecisive(row.verdict, outcome.verdict)) continue
    const key = JSON.stringify([
      outcome.endpoint,
      outcome.check,
      outcome.verdict,
      outcome.failure?.message.slice(0, 1000),
    ])
    const known = found.get(key)
    if (known) known.times += 1
    else found.set(key, { outcome, times: 1 })
  }
  return [...found.values()]
}

/** What is the same of equal failures: what they say, without the ids and times in it. */
function gistOf({ failure, observation }: Outcome): string {
  return [failure?.message ?? observation, failure?.expected, failure?.received].map(gist).join('\n')
}

function gist(text = ''): string {
  const withoutIds = text.slice(0, 4000).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
  return withoutIds.replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, '<time>')
}

/** Findings of one cause: equal ones together, those of other causes apart. */
export function alike(found: readonly Cause[]): Cause[][][] {
  const ofOneCause = Map.groupBy(found, ({ outcome }) => gist(outcome.failure?.message ?? outcome.observation))
  return [...ofOneCause.values()].map((group) => [...Map.groupBy(group, ({ outcome }) => gistOf(outcome)).values()])
}

/** Rows in groups whose failures are equal, in every way in which they went wrong, on the same endpoints. */
export function equalRows(rows: readonly RequirementResult[]): RequirementResult[][] {
  const groups = Map.groupBy(rows, (row) => {
    const seen = causes(row).map(({ outcome }) => [outcome.endpoint, gistOf(outcome), path(outcome)])
    return seen.length === 0 ? row.id : JSON.stringify([row.verdict, row.level, ...new Set(seen.map(String))])
  })
  return [...groups.values()]
}

/** Which request decided an outcome, without ids. */
function path({ evidence }: Outcome): string {
  const last = evidence?.exchanges.at(-1)
  return last === undefined ? '' : `${last.method} ${last.url.replace(/[\w-]{20,}|\?.*$/g, '')}`
}

/** Verdicts of outcomes that explain a row whose own verdict was made from several, or by the baseline. */
const explaining: Partial<Record<Verdict, readonly Verdict[]>> = {
  fail: ['fail', 'flaky', 'error'],
  flaky: ['fail', 'flaky', 'error', 'warning'],
  'expected-fail': ['expected-fail', 'fail', 'flaky', 'warning', 'blocked'],
}

function isDecisive(row: Verdict, outcome: Verdict): boolean {
  return row === outcome || (explaining[row]?.includes(outcome) ?? false)
}

/** Why a row stands as it does, in one text: the failure, the observation, what blocks or unlocks it, or its reason. */
export function because(row: RequirementResult): string {
  const texts = causes(row).map(({ outcome }) => told(outcome))
  return texts.find((text) => text !== undefined) ?? row.reason ?? row.statement
}

function told({ failure, observation, blockedBy, unlock }: Outcome): string | undefined {
  const parts = [
    failure?.message ?? observation,
    blockedBy !== undefined && `blocked by ${blockedBy}`,
    unlock !== undefined && `to run it: ${unlock}`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join('; ') : undefined
}

function groups(rows: readonly RequirementResult[], causeOf: (outcome: Outcome) => string | undefined): Group[] {
  const named = (row: RequirementResult) => causes(row).flatMap(({ outcome }) => causeOf(outcome) ?? [])
  const members = Map.groupBy(rows, (row) => named(row)[0] ?? row.reason ?? 'nothing that this report names')
  return [...members].map(([cause, group]) => {
    const seen = group.flatMap((row) => causes(row).flatMap(({ outcome }) => outcome.failure?.message ?? []))
    return { cause, why: [...new Set(seen)].slice(0, 3), rows: group }
  })
}
