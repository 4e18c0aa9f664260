import type { Outcome, Report, RequirementResult, Verdict } from './model/report.ts'
import { isAcceptedGap, isFailedMust, isWarning } from './model/verdict.ts'

/** Requirements with the same cause. */
export interface Group {
  cause: string
  /** At most three different failure messages. */
  messages: string[]
  requirements: RequirementResult[]
}

/** The requirements of a report in the groups that every format for people shows, in this order. */
export interface Findings {
  failures: RequirementResult[]
  /** Grouped by the failed requirement that blocks them. */
  blocked: Group[]
  /** Grouped by the setting that would let them run. */
  inconclusive: Group[]
  warnings: RequirementResult[]
  acceptedGaps: RequirementResult[]
  knownFailures: RequirementResult[]
  observed: RequirementResult[]
  /** Grouped by reason, such as a profile that the target does not have. */
  notApplicable: Group[]
}

export function groupFindings(report: Report): Findings {
  const acceptedGaps = report.requirements.filter(isAcceptedGap)
  const others = report.requirements.filter((requirement) => !isAcceptedGap(requirement))
  const withVerdict = (verdict: Verdict) => others.filter((requirement) => requirement.verdict === verdict)
  return {
    failures: others.filter((requirement) => isFailedMust(requirement) || requirement.verdict === 'error'),
    blocked: groupByCause(withVerdict('blocked'), (outcome) => outcome.blockedBy),
    inconclusive: groupByCause(withVerdict('inconclusive'), (outcome) => outcome.unlock),
    warnings: others.filter(isWarning),
    acceptedGaps,
    knownFailures: withVerdict('expected-fail'),
    observed: withVerdict('observed'),
    notApplicable: groupByCause(
      withVerdict('not-applicable').filter((requirement) => requirement.reason !== undefined),
      () => undefined,
    ),
  }
}

/** One cause of a verdict, and how many times it occurred. */
export interface Cause {
  outcome: Outcome
  times: number
}

/** The outcomes that decided the verdict of a requirement. Repeats with the same message on an endpoint are counted. */
export function causes(requirement: RequirementResult): Cause[] {
  const byKey = new Map<string, Cause>()
  for (const outcome of requirement.outcomes) {
    if (!isDecisive(requirement.verdict, outcome.verdict)) continue
    const { endpoint, check, verdict, failure } = outcome
    const key = JSON.stringify([endpoint, check, verdict, failure?.message.slice(0, 1000)])
    const known = byKey.get(key)
    if (known) known.times += 1
    else byKey.set(key, { outcome, times: 1 })
  }
  return [...byKey.values()]
}

/** Groups causes by message, then by message, expected and received values. Ids and times are ignored. */
export function groupCauses(causes: readonly Cause[]): Cause[][][] {
  const byMessage = Map.groupBy(causes, ({ outcome }) => normalized(messageOf(outcome)))
  return [...byMessage.values()].map((group) => [...Map.groupBy(group, ({ outcome }) => failureKey(outcome)).values()])
}

/** Groups requirements whose failures are equal in every cause, on the same endpoints. */
export function groupEqualFailures(requirements: readonly RequirementResult[]): RequirementResult[][] {
  const groups = Map.groupBy(requirements, (requirement) => {
    const keys = causes(requirement).map(({ outcome }) => [outcome.endpoint, failureKey(outcome), lastRequest(outcome)])
    const { id, verdict, level } = requirement
    return keys.length === 0 ? id : JSON.stringify([verdict, level, ...new Set(keys.map(String))])
  })
  return [...groups.values()]
}

function failureKey(outcome: Outcome): string {
  const { failure } = outcome
  return [messageOf(outcome), failure?.expected, failure?.received].map(normalized).join('\n')
}

function messageOf({ failure, observation }: Outcome): string | undefined {
  return failure?.message ?? observation
}

/** A text without ids and times, which differ in each run. */
function normalized(text = ''): string {
  const withoutIds = text.slice(0, 4000).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
  return withoutIds.replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, '<time>')
}

/** The deciding request without ids and query. */
function lastRequest({ evidence }: Outcome): string {
  const last = evidence?.exchanges.at(-1)
  return last === undefined ? '' : `${last.method} ${last.url.replace(/[\w-]{20,}|\?.*$/g, '')}`
}

/** Verdicts of outcomes that explain a verdict combined from several outcomes, or changed by the baseline. */
const decisive: Partial<Record<Verdict, readonly Verdict[]>> = {
  fail: ['fail', 'flaky', 'error'],
  flaky: ['fail', 'flaky', 'error', 'warning'],
  'expected-fail': ['expected-fail', 'fail', 'flaky', 'warning', 'blocked'],
}

function isDecisive(verdict: Verdict, outcome: Verdict): boolean {
  return verdict === outcome || (decisive[verdict]?.includes(outcome) ?? false)
}

/** The reason for the verdict of a requirement: a failure, an observation, what blocks it, or what it requires. */
export function explain(requirement: RequirementResult): string {
  const texts = causes(requirement).map(({ outcome }) => explainOutcome(outcome))
  return texts.find((text) => text !== undefined) ?? requirement.reason ?? requirement.statement
}

function explainOutcome(outcome: Outcome): string | undefined {
  const { blockedBy, unlock } = outcome
  const parts = [
    messageOf(outcome),
    blockedBy !== undefined && `blocked by ${blockedBy}`,
    unlock !== undefined && `to test: ${unlock}`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join('; ') : undefined
}

function groupByCause(
  requirements: readonly RequirementResult[],
  causeOf: (outcome: Outcome) => string | undefined,
): Group[] {
  const groups = Map.groupBy(requirements, (requirement) => {
    const names = causes(requirement).flatMap(({ outcome }) => causeOf(outcome) ?? [])
    return names[0] ?? requirement.reason ?? 'unknown cause'
  })
  return [...groups].map(([cause, group]) => {
    const outcomes = group.flatMap((requirement) => causes(requirement).map(({ outcome }) => outcome))
    const messages = outcomes.flatMap(({ failure }) => failure?.message ?? [])
    return { cause, messages: [...new Set(messages)].slice(0, 3), requirements: group }
  })
}
