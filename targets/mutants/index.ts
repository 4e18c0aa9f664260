import { fieldTables } from '../../suites/catalog/tables.ts'
import { deploymentMutants } from './deployment/index.ts'
import { exportMutants } from './export/index.ts'
import { fieldMutants } from './fields.ts'
import type { Mutant } from './mutant.ts'

/** All mutants: those generated from the field tables of the catalog, and those written by hand. */
export const mutants: readonly Mutant[] = [...fieldTables.flatMap(fieldMutants), ...deploymentMutants, ...exportMutants]
