import { exportRunTable } from '../catalog/export/export-run.ts'
import { isObject } from '../catalog/facts.ts'
import { fieldIds } from '../catalog/fields.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { rowsIn } from '../harness/export/exported-files.ts'
import { leavesOf, numbersIn, outlined } from '../harness/export/found.ts'
import { datedRows, wholeExport } from '../harness/export/played.ts'
import { creationTime } from '../harness/export/service-clock.ts'
import { hasEnded, isUnderway } from '../harness/export/statuses.ts'
import { at, show } from '../harness/json.ts'
import type { About } from '../harness/recorder.ts'
import { emptyWindow } from './create.ts'

const dayMs = 86_400_000

/** The answer that lists the runs of an export. */
function listing(id: string): About {
  return { read: `${base}/${id}/runs` }
}

/** How many export runs, and two of them. */
function told(runs: readonly unknown[]): string {
  return `${runs.length}: ${runs.slice(0, 2).map(outlined).join('; ')}`
}

/** Everything in each export run that may be a number of rows. */
function figures(runs: readonly unknown[]): string {
  const numbers = (run: unknown) =>
    leavesOf(run).flatMap(({ path, value }) => (/^\d+$/.test(String(value)) ? [`${path}: ${value}`] : []))
  const told = runs.map((run, index) => `run ${index + 1}: ${numbers(run).join(', ') || 'no whole number'}`)
  return [
    ...told.slice(0, shownRuns),
    ...(runs.length > shownRuns ? [`and ${runs.length - shownRuns} more runs`] : []),
  ].join('; ')
}

/** Export runs whose numbers are shown. */
const shownRuns = 20

/** How many rows each date (UTC) of the whole export has. */
async function rowsByDate(context: ExportContext): Promise<ReadonlyMap<number, number>> {
  const dates = Map.groupBy(await datedRows(context), ({ date }) => date)
  return new Map([...dates].map(([date, same]) => [date, same.length]))
}

const split = exportCheck('export.run.per-date', 'splits an export by date', async (context) => {
  const { runs, material, id } = await wholeExport(context)
  const dates = (await rowsByDate(context)).size
  const [start, end] = [Date.parse(material.start), Date.parse(material.end)]
  const most = Math.ceil(end / dayMs) - Math.floor(start / dayMs)
  const expected = `${dates} to ${most}, for the dates with rows and those in the window`
  context.verify(runs.length >= dates && runs.length <= most, 'export runs', expected, told(runs), listing(id))
})

const tellsItself = exportCheck(
  ['export.run.id', 'export.run.status', 'export.run.creation-time', 'export.run.names', 'export.run.statuses'],
  'lists export runs with id, status and creation time',
  async (context) => {
    const { decide, verify, observe } = context
    const { runs, createdBetween, endedBy, id } = await wholeExport(context)
    context.lookAt(listing(id))
    if (runs.length === 0) throw new Blocked('export.run.per-date', 'the export has no runs')
    const lacking = (holds: (run: unknown, index: number) => boolean) =>
      runs.filter((run, index) => !isObject(run) || !holds(run, index))
    const ids = Object.keys(Object(runs[0])).filter((key) => {
      const values = runs.map((run) => at(run, key))
      return (
        /(^|_)(id|number|key)$|^uuid$|[a-z](I[dD]|UUID|Uuid)$/.test(key) &&
        values.every((value) => typeof value === 'string' || Number.isInteger(value)) &&
        new Set(values).size === runs.length
      )
    })
    await decide('export.run.id', () => verify(ids.length > 0, 'export runs', 'a different id in each', told(runs)))
    const status = (run: unknown) =>
      leavesOf(run).some(
        ({ path, value }) =>
          typeof value === 'string' &&
          (/status|state|phase|stage/i.test(path) || isUnderway({ status: value }) || hasEnded({ status: value })),
      )
    await decide('export.run.status', () =>
      verify(lacking(status).length === 0, 'export runs', 'a status in each', `none in ${told(lacking(status))}`),
    )
    await decide('export.run.creation-time', async () => {
      const names = await Promise.all(runs.map((run) => creationTime(context, run, [createdBetween[0], endedBy])))
      const without = lacking((_, index) => names[index] !== undefined)
      const expected = 'a creation time in each'
      verify(without.length === 0, 'export runs', expected, `none in ${told(without)}`, listing(id))
    })
    observe(
      'export.run.names',
      leavesOf(runs[0])
        .map(({ path }) => path)
        .join(', '),
    )
    observe('export.run.statuses', [...new Set(runs.map((run) => show(at(run, 'status'))))].join(', '))
  },
)

const rows = exportCheck(
  ['export.run.rows', 'export.run.order'],
  'lists export runs with their number of rows',
  async (context) => {
    const { runs, files, id } = await wholeExport(context)
    const counts = [...(await rowsByDate(context)).values()]
    if (runs.length < counts.length)
      throw new Blocked('export.run.per-date', `${runs.length} runs, ${counts.length} dates`)
    // Dates without rows may have a run, which tells 0.
    const padded = [...counts, ...Array.from({ length: Math.max(0, runs.length - counts.length) }, () => 0)]
    const name = numbersIn(runs, padded)
    const expected = `the numbers of rows in the files of each date: ${show(counts)}, ${rowsIn(files).length} in all`
    await context.decide('export.run.rows', () =>
      context.verify(name !== undefined, 'export runs', expected, figures(runs), listing(id)),
    )
    const times = runs.map((run) => Date.parse(String(at(run, 'start_time') ?? at(run, 'metadata', 'start_time'))))
    const ascending = times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))
    context.observe('export.run.order', ascending ? 'by date' : times.some(Number.isNaN) ? 'not told' : 'not by date')
  },
)

const fields = scenario<ExportContext>(fieldIds(exportRunTable), 'lists the runs of an export', async (context) => {
  await wholeExport(context)
})

const empty = exportCheck('export.run.empty-date', 'observes an export of a window without runs', async (context) => {
  const { exports, bucket } = context
  const destination = await exports.destination()
  const id = await exports.create({ bulk_export_destination_id: destination.id, ...emptyWindow })
  await exports.ended(id)
  const [runs, files] = [await exports.runs(id), await bucket.list(destination.bucket, destination.prefix)]
  context.observe('export.run.empty-date', `${runs.length} export runs, ${files.length} files`)
})

export const runChecks: readonly Check[] = [split, tellsItself, rows, fields, empty]
