import fc from 'fast-check'
import { areaOf } from '../../suites/catalog/requirement.ts'
import type { Rejection, TestOptions, VariantResult } from './test-variant.ts'
import { testVariant } from './test-variant.ts'
import type { Setting, Variant } from './variant.ts'

/** The fewest settings with which requirements are rejected. */
export interface Culprit {
  readonly variant: Variant
  /** The settings; undefined if a second test of the variant rejected nothing. */
  readonly settings: readonly Setting[] | undefined
  /** The rejections with these settings only. */
  readonly rejections: readonly Rejection[]
}

/** Shrinks the settings of a rejected variant, once for each cause. */
export async function findCulprits(result: VariantResult, options: TestOptions): Promise<readonly Culprit[]> {
  const { variant } = result
  const culprits: Culprit[] = []
  // A blocked requirement has the cause of another one.
  let rest = result.rejections.toSorted((a, b) => Number(a.verdict === 'blocked') - Number(b.verdict === 'blocked'))
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const settings = await shrink(variant, first, options)
    const same = settings && (await testVariant({ ...variant, settings }, options)).rejections
    const rejections = [first, ...rest.filter((each) => each !== first && same?.some((other) => isSame(each, other)))]
    culprits.push({ variant, settings, rejections })
    rest = rest.filter((each) => !rejections.includes(each))
  }
  return culprits
}

function isSame(a: Rejection, b: Rejection): boolean {
  return a.requirement === b.requirement && a.profile === b.profile
}

/** Returns the fewest settings with which a requirement is rejected; undefined if a second test does not reject it. */
async function shrink(
  variant: Variant,
  rejection: Rejection,
  options: TestOptions,
): Promise<readonly Setting[] | undefined> {
  const { settings } = variant
  const accepts = async (some: readonly Setting[], scenarios = options.scenarios): Promise<boolean> => {
    const reduced = { ...variant, profiles: { [areaOf(rejection.profile)]: rejection.profile }, settings: some }
    const { rejections } = await testVariant(reduced, { ...options, scenarios })
    return !rejections.some((each) => isSame(each, rejection))
  }
  if (!(await accepts([]))) return []
  if (settings.length === 0) return undefined
  // Fewer scenarios are faster, but what they reject may depend on others.
  const own = options.scenarios.filter(({ exercises }) => exercises.includes(rejection.requirement))
  const scenarios = (await accepts(settings, own)) ? options.scenarios : own
  const subsets = fc.array(fc.noShrink(fc.constantFrom(...settings)), { maxLength: settings.length })
  const property = fc.asyncProperty(subsets, (some) => accepts(some, scenarios))
  const { counterexample } = await fc.check(property, { examples: [[[...settings]]], numRuns: 1 })
  return counterexample?.[0]
}
