import { fieldTables } from '../../suites/catalog/tables.ts'
import { behaviourMutants } from './behaviour/index.ts'
import { exportMutants } from './export/index.ts'
import { fieldMutants } from './fields.ts'
import type { Mutant } from './mutant.ts'

/** All mutants: those generated from the tables of fields, and those written by hand. */
export const mutants: readonly Mutant[] = [...fieldTables.flatMap(fieldMutants), ...behaviourMutants, ...exportMutants]
