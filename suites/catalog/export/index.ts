import type { Requirement } from '../requirement.ts'
import { accessRequirements, errorRequirements, versioningRequirements } from './access.ts'
import { bulkExportRequirements } from './bulk-export.ts'
import { cancelRequirements } from './cancel.ts'
import { destinationRequirements } from './destination.ts'
import { exportRunRequirements } from './export-run.ts'
import { fileRequirements } from './files.ts'
import { filterRequirements } from './filter.ts'
import { scheduleRequirements } from './schedule.ts'
import { serviceRequirements } from './service.ts'

/** Requirements of the bulk export API, in the order of the specification. */
export const exportRequirements: readonly Requirement[] = [
  ...serviceRequirements,
  ...destinationRequirements,
  ...bulkExportRequirements,
  ...exportRunRequirements,
  ...fileRequirements,
  ...cancelRequirements,
  ...scheduleRequirements,
  ...filterRequirements,
  ...accessRequirements,
  ...errorRequirements,
  ...versioningRequirements,
]
