import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { levelOf } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import type { Budgets } from '../../suites/harness/manifest.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import type { Scenario } from '../../suites/scenarios/scenario.ts'
import type { Behavior, Choice } from './choice.ts'
import { startVariant } from './start-variant.ts'
import { behaviorsOf, type Variant } from './variant.ts'

/** A verdict that a conforming server must not get. */
export interface Rejection {
  readonly profile: Profile
  readonly requirement: RequirementId
  readonly verdict: Decision['verdict']
  /** What was expected and received. */
  readonly message: string
}

/** The verdicts of a variant. Plain data, so that a worker can post it. */
export interface VariantResult {
  readonly variant: Variant
  readonly rejections: readonly Rejection[]
  /** Requirements that its behavior lets the suites decide. */
  readonly decidable: readonly RequirementId[]
  /** Those that were not decided, each with the reason. */
  readonly inconclusive: Readonly<Partial<Record<RequirementId, string>>>
}

/** How a variant is tested. */
export interface TestOptions {
  readonly choices: readonly Choice[]
  readonly scenarios: readonly Scenario[]
  readonly bucket: BucketStore
  readonly budgets?: Partial<Budgets>
}

/** Short sleeps for a server in this process, and long timeouts and rare polls for a busy machine. */
const defaultBudgets = { waitMs: 4000, slowMs: 120, pollMs: 400, exportMs: 8000 }

const rejecting = new Set<Decision['verdict']>(['fail', 'warning', 'flaky', 'blocked', 'error'])

/** Tests a variant in each of its areas. */
export async function testVariant(variant: Variant, options: TestOptions): Promise<VariantResult> {
  const results = await Promise.all(
    Object.values(variant.profiles).map((profile) => testProfile(variant, profile, options)),
  )
  return {
    variant,
    rejections: results.flatMap(({ rejections }) => rejections),
    decidable: results.flatMap(({ decidable }) => decidable),
    inconclusive: Object.assign({}, ...results.map(({ inconclusive }) => inconclusive)),
  }
}

async function testProfile(
  variant: Variant,
  profile: Profile,
  options: TestOptions,
): Promise<Omit<VariantResult, 'variant'>> {
  const behaviors = behaviorsOf(variant, areaOf(profile), options.choices)
  const isExcused = excusesOf(behaviors)
  const decisions = await decide(behaviors, profile, variant.seed, options)
  const tested = decisions.filter(
    ({ requirement, verdict }) =>
      !['UNSPECIFIED', 'MAY'].includes(levelOf(requirement)) && verdict !== 'not-applicable',
  )
  const decidable = tested.filter(({ requirement }) => !isExcused(requirement))
  return {
    rejections: decisions
      .filter(
        ({ requirement, verdict }) =>
          rejecting.has(verdict) && (['fail', 'error'].includes(verdict) || !isExcused(requirement)),
      )
      .map(({ requirement, verdict, failure }) => ({ profile, requirement, verdict, message: failure?.message ?? '' })),
    decidable: decidable.map(({ requirement }) => requirement),
    inconclusive: Object.fromEntries(
      decidable
        .filter(({ verdict }) => verdict === 'inconclusive')
        .map(({ requirement, failure }) => [requirement, failure?.message ?? '']),
    ),
  }
}

/** Returns whether a requirement need not pass. */
function excusesOf(behaviors: readonly Behavior[]): (requirement: string) => boolean {
  const keys = behaviors.flatMap(({ excuses = {} }) => Object.keys(excuses))
  const forms = keys.map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  return (requirement) => forms.some((form) => form.test(requirement))
}

async function decide(
  behaviors: readonly Behavior[],
  profile: Profile,
  seed: string,
  { scenarios, bucket, budgets }: TestOptions,
): Promise<readonly Decision[]> {
  const server = await startVariant(behaviors, profile, bucket)
  const target = { endpoints: { [profile]: server.endpoint }, budgets: { ...defaultBudgets, ...budgets }, bucket }
  const session = openSession(target, profile, seed)
  try {
    return await runAndDecide(scenarios, [session], 16)
  } finally {
    await session.close()
    await server.close()
  }
}
