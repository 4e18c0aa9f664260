import type { ExportModel } from '../../model/export.ts'
import type { Rule } from '../rule.ts'
import { accessRules } from './access.ts'
import { borderRules } from './borders.ts'
import { unlessCaused } from './causes.ts'
import { consistencyRules } from './consistency.ts'
import { destinationRules } from './destinations.ts'
import { errorRules } from './errors.ts'
import { exportRunRules } from './export-runs.ts'
import { exportedRunRules } from './exported-runs.ts'
import { exportFieldRules } from './fields.ts'
import { fileRules, projectionRules, valueRules } from './files.ts'
import { readRules } from './reads.ts'
import { requestRules } from './requests.ts'
import { scheduleRules } from './schedules.ts'
import { statusRules } from './statuses.ts'

/** All rules about the bulk export API. */
export const exportRules: readonly Rule<ExportModel>[] = unlessCaused([
  ...exportFieldRules,
  ...requestRules,
  ...readRules,
  ...statusRules,
  ...destinationRules,
  ...fileRules,
  ...exportRunRules,
  ...valueRules,
  ...projectionRules,
  ...exportedRunRules,
  ...accessRules,
  ...errorRules,
  ...borderRules,
  ...scheduleRules,
  ...consistencyRules,
])
