import { exportFields } from '../../catalog/export/files.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { decidingViews, type ExportModel, isListed } from '../../model/export.ts'
import { type Schedule, schedules } from '../../model/schedules.ts'
import type { Spawned } from '../../model/spawned.ts'
import { columnNames, rowsIn } from '../../values/export/exported-file.ts'
import { at, listAt } from '../../values/json.ts'
import { type ItemOf, type Rule, rules, verify, verifyNone } from '../rule.ts'
import { timesOf } from './schedules.ts'

/** Spawned exports with the records that show them. */
export function* spawnedExports(model: ExportModel) {
  for (const schedule of select(model, schedules)) {
    for (const spawned of schedule.spawned) {
      const views = decidingViews(spawned.views)
      const exchange = views.at(-1)?.exchange
      if (exchange !== undefined) yield { exchange, setup: [schedule.creation], schedule, spawned, views }
    }
  }
}

type Shown = ItemOf<typeof spawnedExports>

/** Rows of runs that the filter of a schedule rejects. */
function rejectedRows({ type, isSeeded }: Schedule, { files = [], runOf }: Spawned): readonly unknown[] {
  return rowsIn(files).flatMap((row) => {
    const { id, name, start_time } = row
    const run_type = (isSeeded ? runOf(row) : row)?.['run_type']
    const isRejected = type !== undefined && typeof run_type === 'string' && run_type !== type
    return isRejected ? [{ id, name, run_type, start_time }] : []
  })
}

/** Rules about what the exports that schedules spawned show and contain. */
export const spawnedRules: readonly Rule<ExportModel>[] = [
  ...(['start', 'end'] as const).flatMap((side) =>
    rules(spawnedExports, {
      [`export.schedule.window.${side}`]: ({ schedule, spawned: { window, hasSucceeded, signs } }: Shown) =>
        window !== undefined &&
        hasSucceeded &&
        verify(
          signs[side].length === 0,
          'the runs of a spawned export',
          `those of its window, ${timesOf(schedule, window)}`,
          signs[side].join('; '),
        ),
    }),
  ),
  ...rules(spawnedExports, {
    // A list may show fewer fields.
    'export.schedule.source': ({ schedule: { id }, views }) =>
      !views.every(({ exchange }) => isListed(exchange)) &&
      verify(
        views.some(({ record }) => keyOf(at(record, 'source_bulk_export_id')) === keyOf(id)),
        '`source_bulk_export_id` of a spawned export',
        id,
        at(views.at(-1)?.record, 'source_bulk_export_id'),
      ),
    'export.service.one-project': ({ spawned: { files = [], runOf, otherRunOf } }) => {
      const foreign = rowsIn(files).filter((row) => runOf(row) === undefined && otherRunOf(row) !== undefined)
      const shown = foreign.map(({ id, session_id }) => ({ id, session_id }))
      return foreign.length > 0 && verifyNone(shown, 'runs of another project in a file of a spawned export')
    },
    'export.schedule.filter': ({ schedule, spawned }) => {
      const filter = at(schedule.request, 'filter')
      const name = `rows of a spawned export that the filter ${filter} rejects`
      return filter !== undefined && !!spawned.files?.length && verifyNone(rejectedRows(schedule, spawned), name)
    },
    'export.schedule.fields': ({ schedule, spawned: { files = [] } }) => {
      const requestedFields = listAt(schedule.request, 'export_fields')
      const names = columnNames(files).filter((name) => (exportFields as readonly string[]).includes(name))
      const further = names.filter((name) => !requestedFields.includes(name))
      return (
        requestedFields.length > 0 &&
        files.length > 0 &&
        verifyNone(further, 'columns of a spawned export other than the requested ones')
      )
    },
  }),
]
