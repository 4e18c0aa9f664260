import { isObject } from '../../../suites/catalog/facts.ts'
import { changeResponse } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeLater, changeObjects, getExport, listExports, listRuns } from './routes.ts'

const isCompleted = (record: unknown): record is Record<string, unknown> =>
  isObject(record) && record['status'] === 'Completed'

const repeatLast = (list: unknown) => (Array.isArray(list) && list.length > 0 ? [...list, list.at(-1)] : list)

export const keptMutants: readonly Mutant[] = mutantsOf({
  'export.list.last-twice': {
    defect: 'the list of exports contains the last one twice',
    requirements: ['export.list.once'],
    wrap: changeResponse(listExports, repeatLast),
  },
  'export.runs.last-twice': {
    defect: 'the list of export runs contains the last one twice',
    requirements: ['export.runs.once'],
    nondeterministic: 'which requirements about the rows of export runs fail depends on the dates of an export',
    wrap: changeResponse(listRuns, repeatLast),
  },
  'export.get.running-again': {
    defect: 'a completed export is shown as running after some reads',
    requirements: ['export.get.keeps-final'],
    nondeterministic: 'scenarios read exports a different number of times',
    wrap: changeLater(getExport, isCompleted, (record) => ({ ...Object(record), status: 'Running' })),
  },
  'export.get.failed-as-running': {
    defect: 'GET shows failed exports as running',
    requirements: ['export.get.keeps-final'],
    wrap: changeResponse(getExport, (record) =>
      Object(record).status === 'Failed' ? { ...Object(record), status: 'Running' } : record,
    ),
  },
  'export.list.always-running': {
    defect: 'the list shows completed exports as running',
    requirements: ['export.list.current-status'],
    wrap: changeResponse(listExports, (list) =>
      (list as unknown[]).map((record) => (isCompleted(record) ? { ...record, status: 'Running' } : record)),
    ),
  },
  'export.list.failed-as-running': {
    defect: 'the list shows failed exports as running',
    requirements: ['export.list.current-status'],
    wrap: changeObjects(listExports, (record) =>
      record['status'] === 'Failed' ? { ...record, status: 'Running' } : record,
    ),
  },
  'export.list.cancelled-unchanged': {
    defect: 'the list shows cancelled scheduled exports as active',
    requirements: ['export.list.current-status'],
    wrap: changeObjects(listExports, (record) =>
      record['status'] === 'Cancelled' && record['interval_hours'] !== null
        ? { ...record, status: 'IntervalScheduled' }
        : record,
    ),
  },
  'export.list.completed-as-failed': {
    defect: 'the list shows completed exports as failed',
    requirements: ['export.list.current-status'],
    wrap: changeObjects(listExports, (record) => (isCompleted(record) ? { ...record, status: 'Failed' } : record)),
  },
  'export.list.cancelled-as-completed': {
    defect: 'the list shows cancelled exports as completed',
    requirements: ['export.list.current-status'],
    wrap: changeObjects(listExports, (record) =>
      record['status'] === 'Cancelled' ? { ...record, status: 'Completed' } : record,
    ),
  },
  'export.list.created-when-finished': {
    defect: 'the list shows the time at which an export ended as its creation time',
    requirements: ['export.list.creation-time-kept'],
    nondeterministic: 'without a plausible creation time in the list, another requirement may fail, too',
    wrap: changeResponse(listExports, (list) =>
      (list as unknown[]).map((record) =>
        isCompleted(record) ? { ...record, created_at: record['finished_at'] ?? record['created_at'] } : record,
      ),
    ),
  },
  'export.runs.lost-later': {
    defect: 'the second and later lists of export runs are empty',
    requirements: ['export.runs.kept'],
    nondeterministic: 'scenarios read lists of export runs a different number of times',
    wrap: changeLater(
      listRuns,
      (list) => Array.isArray(list) && list.length > 0 && list.every(isCompleted),
      () => [],
    ),
  },
})
