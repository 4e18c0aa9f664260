import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Check } from '../../suites/harness/check.ts'
import type { Decision } from '../../suites/harness/run-check.ts'
import { runChecks } from '../../suites/harness/run-checks.ts'
import { openSession } from '../../suites/harness/session.ts'
import type { Mutant } from './mutant.ts'
import { startMutant } from './start-mutant.ts'

/** What the suites said of a mutant. */
export interface Judgement {
  readonly mutant: Mutant
  /** Rows that did not hold. */
  readonly flipped: ReadonlySet<RequirementId>
  /** Rows that it should have flipped and that still hold. */
  readonly survived: readonly RequirementId[]
  /** Rows that flipped although the mutant neither names nor explains them. */
  readonly unexplained: readonly RequirementId[]
  /** Our own faults on the way. */
  readonly harnessErrors: readonly string[]
}

/** Short sleeps, for a server in this process; waits that a busy machine does not outlast. */
const budgets = { waitMs: 4000, slowMs: 120, pollMs: 25, exportMs: 15_000 }

/** Rows that play many rules together: whatever breaks one of these may flip them, by the chance of their seed. */
const composite: readonly RequirementId[] = ['multitask.governed-by-strategy']

const unmet = new Set(['fail', 'warning', 'flaky'])

/** Runs checks against the reference server with one defect and says which rows flipped. */
export async function judgeMutant(mutant: Mutant, checks: readonly Check[], bucket?: BucketStore): Promise<Judgement> {
  const decisions = await decide(mutant, checks, bucket)
  const flipped = new Set(decisions.filter(({ verdict }) => unmet.has(verdict)).map(({ row }) => row))
  const also = Object.keys(mutant.also ?? {}) as RequirementId[]
  const named = new Set<RequirementId>([...mutant.rows, ...also, ...composite])
  return {
    mutant,
    flipped,
    survived: mutant.rows.filter((row) => !flipped.has(row)),
    unexplained: [...flipped].filter((row) => !named.has(row)),
    harnessErrors: decisions
      .filter(({ verdict }) => verdict === 'error')
      .map(({ row, failure }) => `${row}: ${failure?.message ?? ''}`),
  }
}

/** The checks that decide the rows a mutant names. */
export function namedChecks(mutant: Mutant, checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => check.rows.some((row) => mutant.rows.includes(row)))
}

async function decide(
  mutant: Mutant,
  checks: readonly Check[],
  bucket: BucketStore | undefined,
): Promise<readonly Decision[]> {
  const { profile, endpoint, close } = await startMutant(mutant, 0, bucket)
  const target = { endpoints: { [profile]: endpoint }, budgets, ...(bucket && { bucket }) }
  const session = openSession(target, profile, mutant.id)
  try {
    return await runChecks(checks, [session], 16)
  } finally {
    await session.close()
    await close()
  }
}
