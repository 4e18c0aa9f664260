import { setImmediate } from 'node:timers/promises'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { nameOf } from '../rules/common.ts'
import type { Case, Rule } from './rule.ts'

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
}

/** Summary of the cases of one requirement, which are too many to keep. */
interface Tally {
  exercised: number
  failed: number
  readonly failing: Set<number>
  /** By requests: the number of cases that were not blocked, and of those that fail. */
  readonly conditions: Map<string, { exercised: number; failed: number }>
  first: Case
  firstFailed?: Case
  blocked?: Case
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
      } else {
        count(tally, each)
        tally.exercised += 1
        if (each.mismatch === undefined) continue
        tally.failed += 1
        tally.failing.add(each.subject.exchange.id)
        tally.firstFailed = earlier(tally.firstFailed, each)
      }
    }
  }
  return [...tallies].map(([requirement, tally]) => {
    const { exercised, failed, failing } = tally
    return { requirement, exercised, failed, failing, ...failedCondition(tally), ...verdictOf(tally) }
  })
}

function newTally(first: Case): Tally {
  return { exercised: 0, failed: 0, failing: new Set(), conditions: new Map(), first }
}

/** Counts a case that is not blocked by the request that decides it, and by the last request before it that changes something. */
function count({ conditions }: Tally, { subject: { exchange, setup = [] }, mismatch }: Case): void {
  const change = setup.findLast((each) => each !== undefined && each.method !== 'GET')
  for (const name of [`with ${nameOf(exchange)}`, ...(change === undefined ? [] : [`after ${nameOf(change)}`])]) {
    const counts = conditions.get(name) ?? { exercised: 0, failed: 0 }
    counts.exercised += 1
    if (mismatch !== undefined) counts.failed += 1
    conditions.set(name, counts)
  }
}

/** Returns what all cases that fail have in common, and no other case. */
function failedCondition({ conditions, exercised, failed }: Tally): Pick<Finding, 'failedCondition'> {
  if (failed === exercised) return {}
  const [name] = [...conditions].find(([, each]) => each.exercised === failed && each.failed === failed) ?? []
  return name === undefined ? {} : { failedCondition: name }
}

function verdictOf({ exercised, first, firstFailed, blocked }: Tally): Pick<Finding, 'verdict' | 'decidedBy'> {
  if (firstFailed !== undefined) return { verdict: 'fail', decidedBy: firstFailed }
  const isPass = blocked === undefined || (exercised > 0 && blocked.mismatch === undefined)
  return isPass ? { verdict: 'pass', decidedBy: first } : { verdict: 'blocked', decidedBy: blocked }
}

/** Returns the case whose exchange was sent first: it has the shortest history. */
function earlier(known: Case | undefined, other: Case): Case {
  return known === undefined || other.subject.exchange.id < known.subject.exchange.id ? other : known
}
