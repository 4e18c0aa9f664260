import { causes, headline, rootCauseKey } from './causes.ts'
import type { Outcome, Report, RequirementResult, Verdict } from './model/report.ts'
import { isAcceptedGap, isBlocked, isFailedMust, isWarning } from './model/verdict.ts'

/** A difference between the target and the specification, with everything that it explains. */
export interface RootCause {
  /** `expected X, received Y`. */
  headline: string
  /** The failed requirements. The first one shows the cause. */
  requirements: [RequirementResult, ...RequirementResult[]]
  /** The requirements that could not be tested because one of these fails. */
  blocked: RequirementResult[]
}

/** Requirements with the same reason. */
export interface Group {
  cause: string
  /** At most three different failure messages. */
  messages: string[]
  requirements: RequirementResult[]
}

/** The requirements of a report in the groups that every format for people shows, in this order. */
export interface Findings {
  /** Why requirements fail: those with the most requirements first, then those that fail in the largest share of cases. */
  rootCauses: RootCause[]
  /** Blocked by a requirement that is not a failure of this report, such as a known failure; grouped by it. */
  otherBlocked: Group[]
  /** Grouped by the setting that would let them run. */
  inconclusive: Group[]
  warnings: RequirementResult[]
  acceptedGaps: RequirementResult[]
  knownFailures: RequirementResult[]
  observed: RequirementResult[]
  /** Grouped by reason, such as a profile that the target does not have. */
  notApplicable: Group[]
}

export function groupFindings({ requirements }: Report): Findings {
  const others = requirements.filter((requirement) => !isAcceptedGap(requirement))
  const withVerdict = (verdict: Verdict) => others.filter((requirement) => requirement.verdict === verdict)
  const rootCauses = groupFailures(
    others.filter((requirement) => isFailedMust(requirement) || requirement.verdict === 'error'),
  )
  const causeOf = new Map(rootCauses.flatMap((cause) => cause.requirements.map(({ id }) => [id, cause] as const)))
  const blockers = new Map(
    requirements.filter(isBlocked).map((requirement) => [requirement.id, blockerOf(requirement)]),
  )
  const otherBlocked: RequirementResult[] = []
  for (const requirement of requirements.filter(isBlocked)) {
    const cause = causeOf.get(rootOf(requirement.id, blockers))
    ;(cause?.blocked ?? otherBlocked).push(requirement)
  }
  return {
    rootCauses: rootCauses.sort((a, b) => explained(b) - explained(a) || share(b) - share(a)),
    otherBlocked: groupByCause(otherBlocked, ({ id }) => rootOf(id, blockers)),
    // A check that an interruption prevented has no outcome.
    inconclusive: groupByCause(
      withVerdict('inconclusive'),
      (requirement) => firstOf(requirement, 'unlock') ?? 'let the test run end',
    ),
    warnings: others.filter(isWarning),
    acceptedGaps: requirements.filter(isAcceptedGap),
    knownFailures: withVerdict('expected-fail'),
    observed: withVerdict('observed'),
    notApplicable: groupByCause(withVerdict('not-applicable'), explain),
  }
}

function explained({ requirements, blocked }: RootCause): number {
  return requirements.length + blocked.length
}

/** The share of cases that fail; 1 if the number of cases is not known. The higher it is, the closer a failure is to the defect. */
function share({ requirements: [first] }: RootCause): number {
  const outcome = causes(first)[0]?.outcome
  return (outcome?.failed ?? 1) / (outcome?.exercised ?? 1)
}

/** Groups failed requirements, or warnings, that have a cause in common. */
export function groupFailures(failures: readonly RequirementResult[]): RootCause[] {
  const rootCauses: RootCause[] = []
  const byKey = new Map<string, RootCause>()
  for (const requirement of failures) {
    const explaining = causes(requirement).filter(({ outcome }) => headline(outcome) !== undefined)
    const keys = explaining.map(({ outcome }) => rootCauseKey(outcome))
    let cause = keys.map((key) => byKey.get(key)).find((known) => known !== undefined)
    if (cause === undefined) {
      cause = { headline: explain(requirement), requirements: [requirement], blocked: [] }
      rootCauses.push(cause)
    } else cause.requirements.push(requirement)
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, cause)
  }
  return rootCauses
}

/** The requirement at the end of a chain of blocked requirements. */
function rootOf(id: string, blockers: ReadonlyMap<string, string>): string {
  const passed = new Set([id])
  let root = id
  for (;;) {
    const blocker = blockers.get(root)
    if (blocker === undefined || passed.has(blocker)) return root
    passed.add(blocker)
    root = blocker
  }
}

function blockerOf(requirement: RequirementResult): string {
  return firstOf(requirement, 'blockedBy') ?? requirement.reason ?? 'unknown cause'
}

function firstOf(requirement: RequirementResult, key: 'blockedBy' | 'unlock'): string | undefined {
  return causes(requirement).flatMap(({ outcome }) => outcome[key] ?? [])[0]
}

/** The reason for the verdict of a requirement: a failure, an observation, what blocks it, or what it requires. */
export function explain(requirement: RequirementResult): string {
  const texts = causes(requirement).map(({ outcome }) => explainOutcome(outcome))
  return texts.find((text) => text !== undefined) ?? requirement.reason ?? requirement.statement
}

function explainOutcome(outcome: Outcome): string | undefined {
  const { blockedBy, unlock } = outcome
  const parts = [
    headline(outcome),
    blockedBy !== undefined && `blocked by ${blockedBy}`,
    unlock !== undefined && `to test: ${unlock}`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join('; ') : undefined
}

function groupByCause(
  requirements: readonly RequirementResult[],
  causeOf: (requirement: RequirementResult) => string | undefined,
): Group[] {
  const groups = Map.groupBy(
    requirements,
    (requirement) => causeOf(requirement) ?? requirement.reason ?? 'unknown cause',
  )
  return [...groups].map(([cause, group]) => {
    const outcomes = group.flatMap((requirement) => causes(requirement).map(({ outcome }) => outcome))
    const messages = outcomes.flatMap(({ failure }) => failure?.message ?? [])
    return { cause, messages: [...new Set(messages)].slice(0, 3), requirements: group }
  })
}

/** Ids that are listed of a group of requirements, unless all are asked for. */
const shownIds = 5

/** The first ids of several requirements, with their number: `a, b, c, d, e and 446 more`. */
export function firstIds(requirements: readonly RequirementResult[], all = false, format = (id: string) => id): string {
  const shown = all ? requirements : requirements.slice(0, shownIds)
  const more = requirements.length - shown.length
  return `${shown.map(({ id }) => format(id)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
