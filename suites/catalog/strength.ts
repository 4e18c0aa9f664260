import type { Strength, SuiteStrength } from '../../reporters/model/report.ts'
import { defectsOf } from './defects.ts'
import { mutants } from './generated/defects.ts'
import { generatedMutantCounts, generatedMutants } from './generated/generated-mutants.ts'
import { variantCounts, variants } from './generated/variants.ts'
import { splitId } from './prefix.ts'

/** The strength of a requirement, from the newest recorded runs. */
export function strengthOf(id: string): Strength {
  const [prefix, name] = splitId(id)
  return {
    mutants: defectsOf(id).length,
    generatedMutants: generatedMutantCounts[prefix]?.[name] ?? 0,
    variants: variantCounts[prefix]?.[name] ?? 0,
  }
}

/** The totals of the newest recorded runs. */
export const suiteStrength: SuiteStrength = { mutants, generatedMutants, variants }
