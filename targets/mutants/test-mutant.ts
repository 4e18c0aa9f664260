import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { Exchange } from '../../reporters/model/report.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
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
  /** For each of its requirements that fails: whether the evidence shows what the defect changed. */
  readonly shown: readonly Shown[]
}

/** Whether the evidence of a failure shows what the defect changed. */
interface Shown {
  readonly requirement: RequirementId
  /**
   * `decisive`: the exchange that decides was changed, another page of its list, or an earlier request whose effect it shows;
   * `before`: only other exchanges were; `nowhere`: none was.
   */
  readonly place: 'decisive' | 'before' | 'nowhere'
}

/** Short sleeps for a server in this process, and long timeouts and rare polls for a busy machine. */
const budgets = { waitMs: 4000, slowMs: 120, pollMs: 100, exportMs: 15_000 }

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

/** Returns where the failures of requirements show what the defect changed. */
export function shownIn(decisions: readonly Decision[], requirements: readonly RequirementId[]): readonly Shown[] {
  return decisions
    .filter(({ requirement, verdict }) => requirements.includes(requirement) && failingVerdicts.has(verdict))
    .map(({ requirement, evidence }) => ({ requirement, place: placeOf(evidence?.exchanges ?? []) }))
}

function placeOf(exchanges: readonly Exchange[]): Shown['place'] {
  // Without a response, the defect has lost it, or the client did not wait for it.
  const markOf = ({ responseHeaders = { [changedHeader]: 'request' } }: Exchange) => responseHeaders[changedHeader]
  const changed = exchanges.filter((each) => markOf(each) !== undefined)
  const last = exchanges.at(-1)
  const isDecisive = changed.some((each) => pageOf(each) === pageOf(last) || markOf(each) === 'request')
  if (isDecisive) return 'decisive'
  return changed.length > 0 ? 'before' : 'nowhere'
}

/** What the pages of one list have in common. */
const pageOf = (exchange: Exchange | undefined) => exchange && `${exchange.method} ${exchange.url.split('?')[0]}`

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
