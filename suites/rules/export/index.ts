import type { Rule } from '../../evaluate/rule.ts'
import type { ExportModel } from '../../model/export.ts'
import { exportFieldRules } from './fields.ts'
import { requestRules } from './requests.ts'

/** All rules about the bulk export API. */
export const exportRules: readonly Rule<ExportModel>[] = [...exportFieldRules, ...requestRules]
