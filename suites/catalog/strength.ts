import type { Strength, SuiteStrength } from '../../reporters/model/report.ts'
import { defects, mutants } from './generated/defects.ts'
import { generatedMutantCounts, generatedMutants } from './generated/generated-mutants.ts'
import { variantCounts, variants } from './generated/variants.ts'

/** The strength of a requirement, from the newest recorded runs. */
export function strengthOf(id: string): Strength {
  return {
    mutants: defects[id]?.length ?? 0,
    generatedMutants: generatedMutantCounts[id] ?? 0,
    variants: variantCounts[id] ?? 0,
  }
}

/** The totals of the newest recorded runs. */
export const suiteStrength: SuiteStrength = { mutants, generatedMutants, variants }
