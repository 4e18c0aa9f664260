import { exportTable } from '../../catalog/export/bulk-export.ts'
import type { ExportModel } from '../../model/export.ts'
import { type Consequences, otherKind, withCause, withConsequences } from '../causes.ts'
import type { Rule } from '../rule.ts'
import { accessRules } from './access.ts'
import { borderRules } from './borders.ts'
import { consistencyRules } from './consistency.ts'
import { destinationRules } from './destinations.ts'
import { errorRules } from './errors.ts'
import { exportRunRules } from './export-runs.ts'
import { exportedRunRules } from './exported-runs.ts'
import { exportFieldRules } from './fields.ts'
import { fileRules, otherColumnsFailure, projectionRules, valueRules } from './files.ts'
import { readRules } from './reads.ts'
import { requestRules } from './requests.ts'
import { scheduleCancelRules } from './schedule-cancel.ts'
import { scheduleRules } from './schedules.ts'
import { spawnedRules } from './spawned.ts'
import { statusRules } from './statuses.ts'

/** Another destination, files at another place, rows with the id of another run, and lost or cancelled exports look like other failures. */
const consequences: Consequences = {
  'export.destination.create.fresh-id': ['export.destination.prefix.*', 'export.file.prefix', 'export.errors.run.*'],
  'export.destination.prefix.confines': [
    'export.destination.test-file.*',
    'export.errors.run.*',
    'export.execute.*',
    'export.schedule.*',
    'export.cancel.spawned-alone',
    'export.service.*',
    'export.filter.*',
    'export.fields.same-runs',
    'export.fields.same-values',
    'export.record.*.value',
  ],
  'export.record.id.value': [
    'export.schedule.window.*',
    'export.schedule.filter',
    'export.service.*',
    'export.filter.*',
    'export.fields.same-runs',
    'export.fields.same-values',
    'export.file.rows.once',
    'export.file.border',
    'export.file.border-kept',
    'export.file.border-side',
    'export.record.*.value',
  ],
  'export.record.start_time.value': ['export.file.partition'],
  'export.cancel.only-named': [
    'export.auth.workspace.cancel',
    'export.schedule.*',
    'export.execute.*',
    'export.cancel.one-off',
    'export.cancel.scheduled',
    'export.cancel.completed',
    'export.cancel.spares-spawned',
    'export.cancel.spawned-alone',
    'export.destination.session-token.used',
    'export.errors.run.recorded',
    'export.errors.run.denied-recorded',
  ],
  'export.list.current-status': ['export.cancel.spawned-alone'],
  // The window that a spawned export covers is read from its rows.
  'export.service.nothing-outside': ['export.schedule.window.*', 'export.schedule.every-window'],
  'export.service.time-range': ['export.schedule.window.*', 'export.schedule.filter', 'export.fields.same-runs'],
  'export.file.partition': ['export.run.rows', 'export.run.per-date'],
  'export.runs.own': ['export.runs.once'],
}

const rules: readonly Rule<ExportModel>[] = [
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
  ...spawnedRules,
  ...scheduleCancelRules,
  ...consistencyRules,
]

const shownExport = otherKind(rules, {
  'export.get.answers-export': { operation: 'GET /api/v1/bulk-exports/{export_id}', table: exportTable },
})

/** All rules about the bulk export API. */
export const exportRules: readonly Rule<ExportModel>[] = withConsequences(
  withCause(rules, (...failure) => shownExport(...failure) ?? otherColumnsFailure(...failure)),
  consequences,
)
