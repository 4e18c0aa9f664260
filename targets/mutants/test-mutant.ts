import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { runAndDecide } from '../../suites/evaluate/run-and-decide.ts'
import { openSession } from '../../suites/harness/session.ts'
import { thoroughScenarios } from '../../suites/scenarios/index.ts'
import type { Scenario } from '../../suites/scenarios/scenario.ts'
import { changedHeader, markChanges } from './mark-changes.ts'
import type { Mutant } from './mutant.ts'
import { startMutant } from './start-mutant.ts'

/** The result of running scenarios against a mutant. Plain data, so that a worker can post it. */
export interface MutantResult extends Pick<Mutant, 'id' | 'defect' | 'requirements'> {
  readonly alsoFails: Readonly<Record<string, string>>
  /** Requirements that fail. */
  readonly failed: readonly RequirementId[]
  /** Requirements of the mutant that pass although they must fail. */
  readonly survived: readonly RequirementId[]
  /** Requirements that fail although the mutant does not list them. */
  readonly unexpected: readonly RequirementId[]
  /** Errors in Touchstone. */
  readonly errors: readonly string[]
  /** For each of its requirements that fails: where the evidence shows a response that the defect changed. */
  readonly shown: readonly Shown[]
}

/** Where the evidence of a failure shows a response that the defect changed. */
interface Shown {
  readonly requirement: RequirementId
  /** `last`: it is the deciding exchange; `before`: an earlier one; `nowhere`: none is. */
  readonly place: 'last' | 'before' | 'nowhere'
}

/** Short sleeps for a server in this process, and long timeouts for a busy machine. */
const budgets = { waitMs: 4000, slowMs: 120, pollMs: 25, exportMs: 15_000 }

/** Requirements whose scenarios combine many rules. Any defect in these rules may fail them, depending on the seed. */
const compositeRequirements: readonly RequirementId[] = ['multitask.governed-by-strategy']

/** Verdicts that detect a defect. */
export const failingVerdicts: ReadonlySet<string> = new Set(['fail', 'warning', 'flaky'])

/** Runs scenarios against a mutant. */
export async function testMutant(
  mutant: Mutant,
  scenarios: readonly Scenario[],
  bucket?: BucketStore,
): Promise<MutantResult> {
  const all = mutant.thorough ? [...thoroughScenarios, ...scenarios] : scenarios
  const decisions = await decisionsAgainst(marked(mutant), all, bucket)
  const { id, defect, requirements, alsoFails = {} } = mutant
  const failed = new Set(
    decisions.filter(({ verdict }) => failingVerdicts.has(verdict)).map(({ requirement }) => requirement),
  )
  const expected = new Set<string>([...requirements, ...Object.keys(alsoFails), ...compositeRequirements])
  return {
    id,
    defect,
    requirements,
    alsoFails,
    failed: [...failed],
    survived: requirements.filter((each) => !failed.has(each)),
    unexpected: [...failed].filter((each) => !expected.has(each)),
    errors: decisions
      .filter(({ verdict }) => verdict === 'error')
      .map(({ requirement, failure }) => `${requirement}: ${failure?.message ?? ''}`),
    shown: mutant.wrap === undefined ? [] : shownIn(decisions, requirements),
  }
}

/** Returns where the failures of requirements show a response that the defect changed. */
export function shownIn(decisions: readonly Decision[], requirements: readonly RequirementId[]): readonly Shown[] {
  return decisions
    .filter(({ requirement, verdict }) => requirements.includes(requirement) && failingVerdicts.has(verdict))
    .map(({ requirement, evidence }) => {
      const isChanged = (evidence?.exchanges ?? []).map(
        // Without a response, the defect has lost it.
        ({ responseHeaders = { [changedHeader]: '' } }) => changedHeader in responseHeaders,
      )
      const place = isChanged.at(-1) ? 'last' : isChanged.includes(true) ? 'before' : 'nowhere'
      return { requirement: requirement, place }
    })
}

/** The scenarios of the requirements of a mutant. */
export function checksOf(mutant: Mutant, scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter((scenario) =>
    scenario.exercises.some((requirement) => mutant.requirements.includes(requirement)),
  )
}

const profiles: readonly Profile[] = ['open', 'custom-auth', 'hosted', 'self-hosted']

/** Requirements that fail on the mock server without a defect, so that their scenarios prove nothing. */
export async function failingOnReference(scenarios: readonly Scenario[]): Promise<readonly RequirementId[]> {
  const areas = new Set(scenarios.flatMap(({ exercises }) => exercises.map((id) => requirement(id).area)))
  const bucket = areas.has('export') ? await openBucketStore('embedded') : undefined
  const results = await Promise.all(
    profiles
      .filter((profile) => areas.has(areaOf(profile)))
      .map((profile) => ({ id: `reference.${profile}`, defect: 'none', requirements: [], profile }))
      .map((reference) => testMutant(reference, scenarios, bucket?.store)),
  )
  await bucket?.close()
  return [...new Set(results.flatMap(({ unexpected }) => unexpected))]
}

/** Returns the mutant with marked changes. */
function marked({ wrap, ...mutant }: Mutant): Mutant {
  return wrap === undefined ? mutant : { ...mutant, wrap: markChanges(wrap) }
}

/** Runs checks against a mutant and decides their requirements. */
export async function decisionsAgainst(
  mutant: Mutant,
  scenarios: readonly Scenario[],
  bucket: BucketStore | undefined,
): Promise<readonly Decision[]> {
  const { profile, endpoint, close } = await startMutant(mutant, 0, bucket)
  const target = { endpoints: { [profile]: endpoint }, budgets, ...(bucket && { bucket }) }
  const session = openSession(target, profile, mutant.id)
  try {
    return await runAndDecide(scenarios, [session], 16)
  } finally {
    await session.close()
    await close()
  }
}
