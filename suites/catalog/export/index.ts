import type { Requirement } from '../requirement.ts'
import { accessRows, errorRows, versioningRows } from './access.ts'
import { bulkExportRows } from './bulk-export.ts'
import { cancelRows } from './cancel.ts'
import { destinationRows } from './destination.ts'
import { exportRunRows } from './export-run.ts'
import { fileRows } from './files.ts'
import { filterRows } from './filter.ts'
import { scheduleRows } from './schedule.ts'
import { serviceRows } from './service.ts'

/** The rows of the bulk export API, in the order of the document. */
export const exportRows: readonly Requirement[] = [
  ...serviceRows,
  ...destinationRows,
  ...bulkExportRows,
  ...exportRunRows,
  ...fileRows,
  ...cancelRows,
  ...scheduleRows,
  ...filterRows,
  ...accessRows,
  ...errorRows,
  ...versioningRows,
]
