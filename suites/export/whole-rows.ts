import type { Check } from '../harness/check.ts'
import { CouldNotRun } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { identifier } from '../harness/export/identify.ts'
import { wholeExport, wholeRows, wholeWindow } from '../harness/export/played.ts'
import { isInside, isOutside, type Seeded } from '../harness/export/seeded.ts'
import { show } from '../harness/json.ts'

/** The records that the driver has put into the project; throws CouldNotRun where there is none. */
export async function seededOf(context: ExportContext): Promise<Seeded> {
  const { seeded } = (await wholeExport(context)).material
  if (seeded) return seeded
  const unlock = `endpoints.${context.session.endpointName}.export.driver: a driver with seedRuns`
  throw new CouldNotRun('which runs the project holds is not known', unlock)
}

const window = exportCheck(
  [
    'export.service.time-range',
    'export.service.nothing-outside',
    'export.service.one-project',
    'export.filter.omitted',
  ],
  'the rows of an export without a filter',
  async (context) => {
    const { startMs, endMs } = wholeWindow
    const { decide, verify } = context
    const { records, ofOtherProject } = await seededOf(context)
    const rows = await wholeRows(context)
    const known = identifier(records)
    const exported = new Set(rows.map(known))
    const missing = records.filter((record) => isInside(record, startMs, endMs) && !exported.has(record))
    const outside = records.filter((record) => isOutside(record, startMs, endMs) && exported.has(record))
    const other = identifier(ofOtherProject)
    const foreign = rows.filter((row) => known(row) === undefined && other(row) !== undefined)
    const tell = (found: readonly { readonly id?: unknown; readonly start_time?: unknown }[]) =>
      `${found.length}: ${show(found.slice(0, 3).map(({ id, start_time }) => ({ id, start_time })))}`
    // What a run is, is no reason to leave it out: a filter would.
    const kinds = Map.groupBy(missing, ({ run_type }) => run_type)
    const whole = [...kinds].filter(
      ([kind, lost]) =>
        lost.length === records.filter((one) => one.run_type === kind && isInside(one, startMs, endMs)).length,
    )
    await decide('export.service.time-range', () =>
      verify(missing.length === 0 || whole.length > 0, 'runs of the window that are in no file', 'none', tell(missing)),
    )
    await decide('export.filter.omitted', () =>
      verify(whole.length === 0, 'types of run of which none is exported', 'none', show(whole.map(([kind]) => kind))),
    )
    await decide('export.service.nothing-outside', () =>
      verify(outside.length === 0, 'runs outside the window that are in a file', 'none', tell(outside)),
    )
    await decide('export.service.one-project', () =>
      verify(foreign.length === 0, 'runs of another project that are in a file', 'none', tell(foreign)),
    )
  },
)

const once = exportCheck('export.file.rows.once', 'no row is there twice', async (context) => {
  const rows = await wholeRows(context)
  const identity = rows.map((row) => String(row['id'] ?? row['dotted_order'] ?? show(row)))
  const twice = [...Map.groupBy(identity, (id) => id)].filter(([, same]) => same.length > 1).map(([id]) => id)
  context.verify(twice.length === 0, 'ids of rows that are there more than once', 'none', show(twice.slice(0, 5)))
})

export const wholeRowChecks: readonly Check[] = [window, once]
