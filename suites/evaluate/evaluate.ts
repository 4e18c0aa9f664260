import { setImmediate } from 'node:timers/promises'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { nameOf } from '../rules/common.ts'
import type { Case, Rule } from '../rules/rule.ts'

/** Result of a requirement on one endpoint. */
export interface Finding {
  readonly requirement: RequirementId
  readonly verdict: 'pass' | 'fail' | 'blocked'
  /** Number of cases that were not blocked. */
  readonly exercised: number
  /** Number of those cases that fail. */
  readonly failed: number
  /** What all cases that fail have in common, and no other case: `with` or `after` a request. */
  readonly failedCondition?: string
  /** The first case that gives this verdict. */
  readonly decidedBy: Case
  /** Ids of the exchanges that decide the cases that fail. */
  readonly failing: ReadonlySet<number>
  /** The failed requirements that explain mismatches, by the ids of the exchanges that show these. */
  readonly explained: ReadonlyMap<number, RequirementId>
}

/** Summary of the cases of one requirement, which are too many to keep. */
interface Tally {
  exercised: number
  failed: number
  readonly failing: Set<number>
  readonly explained: Map<number, RequirementId>
  first: Case
  firstFailed?: Case
  blocked?: Case
  /** The first case whose failure is explained by another requirement. */
  firstExplained?: Case
}

/**
 * Applies rules to a model and returns a finding for each requirement that has a case. Lets other work run between
 * rules, so that a test run in the same process can go on.
 */
export async function evaluate<Model>(model: Model, rules: readonly Rule<Model>[]): Promise<readonly Finding[]> {
  const tallies = new Map<RequirementId, Tally>()
  for (const rule of rules) {
    await setImmediate()
    for (const each of rule.cases(model)) {
      // Any response to a probe is correct, for every rule.
      if (each.subject.exchange.intent === 'probe') continue
      const tally = tallies.get(each.requirement) ?? newTally(each)
      tallies.set(each.requirement, tally)
      tally.first = earlier(tally.first, each)
      if (each.blockedBy !== undefined) {
        tally.blocked = earlier(tally.blocked, each)
        if (each.mismatch === undefined) continue
        tally.explained.set(each.subject.exchange.id, each.blockedBy)
        tally.firstExplained = earlier(tally.firstExplained, each)
      } else {
        tally.exercised += 1
        if (each.mismatch === undefined) continue
        tally.failed += 1
        tally.failing.add(each.subject.exchange.id)
        tally.firstFailed = earlier(tally.firstFailed, each)
      }
    }
  }
  const conditions = failedConditions(tallies, model, rules)
  return [...tallies].map(([requirement, tally]) => {
    const { exercised, failed, failing, explained } = tally
    const failedCondition = conditions.get(requirement)
    const condition = failedCondition === undefined ? {} : { failedCondition }
    return { requirement, exercised, failed, failing, explained, ...condition, ...verdictOf(tally) }
  })
}

function newTally(first: Case): Tally {
  return { exercised: 0, failed: 0, failing: new Set(), explained: new Map(), first }
}

/**
 * Returns, for each requirement that fails in some of its cases, what all of these have in common, and no other case: the
 * request that decides them, or the last request before it that changes something. Applies the rules of these requirements
 * a second time, because they are few.
 */
function failedConditions<Model>(
  tallies: ReadonlyMap<RequirementId, Tally>,
  model: Model,
  rules: readonly Rule<Model>[],
): ReadonlyMap<RequirementId, string> {
  const failsSometimes = (id: RequirementId) => {
    const { failed = 0, exercised = 0 } = tallies.get(id) ?? {}
    return failed > 0 && failed < exercised
  }
  const counts = new Map<RequirementId, Map<string, { exercised: number; failed: number }>>()
  for (const rule of rules.filter(({ requirements }) => requirements.some(failsSometimes))) {
    for (const each of rule.cases(model)) {
      const { requirement, subject, blockedBy, mismatch } = each
      if (blockedBy !== undefined || subject.exchange.intent === 'probe' || !failsSometimes(requirement)) continue
      const byCondition = counts.get(requirement) ?? new Map<string, { exercised: number; failed: number }>()
      counts.set(requirement, byCondition)
      for (const condition of conditionsOf(each)) {
        const { exercised, failed } = byCondition.get(condition) ?? { exercised: 0, failed: 0 }
        byCondition.set(condition, { exercised: exercised + 1, failed: failed + (mismatch === undefined ? 0 : 1) })
      }
    }
  }
  const found = new Map<RequirementId, string>()
  for (const [requirement, byCondition] of counts) {
    const all = tallies.get(requirement)?.failed
    for (const [condition, { exercised, failed }] of byCondition) {
      if (exercised === all && failed === all && !found.has(requirement)) found.set(requirement, condition)
    }
  }
  return found
}

function conditionsOf({ subject: { exchange, setup = [] } }: Case): readonly string[] {
  const change = setup.findLast((each) => each !== undefined && each.method !== 'GET')
  return [`with ${nameOf(exchange)}`, ...(change === undefined ? [] : [`after ${nameOf(change)}`])]
}

function verdictOf(tally: Tally): Pick<Finding, 'verdict' | 'decidedBy'> {
  const { exercised, first, firstFailed, firstExplained, blocked } = tally
  if (firstFailed !== undefined) return { verdict: 'fail', decidedBy: firstFailed }
  const decidedBy = firstExplained ?? (exercised > 0 ? undefined : blocked)
  return decidedBy === undefined ? { verdict: 'pass', decidedBy: first } : { verdict: 'blocked', decidedBy }
}

/** A received value of more characters is hard to read. */
const readable = 600

/** Returns the case whose exchange was sent first: it has the shortest history. One with a very long value comes last. */
function earlier(known: Case | undefined, other: Case): Case {
  if (known === undefined) return other
  const [isLong, isOtherLong] = [known, other].map(({ mismatch }) => (mismatch?.received.length ?? 0) > readable)
  if (isLong !== isOtherLong) return isLong ? other : known
  return other.subject.exchange.id < known.subject.exchange.id ? other : known
}
