import type { Mutant } from '../mutant.ts'
import { accessMutants } from './access.ts'
import { cancelMutants } from './cancel.ts'
import { combinationMutants } from './combinations.ts'
import { destinationMutants } from './destinations.ts'
import { exportErrorMutants } from './errors.ts'
import { exportRunIdMutants } from './export-run-ids.ts'
import { exportApiMutants } from './exports.ts'
import { fileMutants } from './files.ts'
import { filterMutants } from './filters.ts'
import { keptMutants } from './kept.ts'
import { scheduleMutants } from './schedule.ts'
import { serviceMutants } from './service.ts'
import { unusualRunMutants } from './unusual-runs.ts'
import { workspaceMutants } from './workspaces.ts'

/** All mutants of the bulk export API. */
export const exportMutants: readonly Mutant[] = [
  ...serviceMutants,
  ...destinationMutants,
  ...exportApiMutants,
  ...exportRunIdMutants,
  ...exportErrorMutants,
  ...fileMutants,
  ...cancelMutants,
  ...scheduleMutants,
  ...filterMutants,
  ...accessMutants,
  ...workspaceMutants,
  ...keptMutants,
  ...unusualRunMutants,
  ...combinationMutants,
]
