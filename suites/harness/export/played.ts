import { Blocked, CouldNotRun, Refused } from '../errors.ts'
import { show, textAt } from '../json.ts'
import type { Registered } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { type ExportedFile, filesOf, rowsIn } from './exported-files.ts'
import type { ExportOrder } from './exports.ts'
import { type Material, material, unlockedBy } from './material.ts'
import type { Row } from './parquet.ts'
import { hasSucceeded } from './statuses.ts'

/** An export from its creation to its files. */
export interface PlayedExport {
  readonly id: string
  readonly destination: Registered
  /** The export once it had ended. */
  readonly ended: unknown
  readonly runs: readonly unknown[]
  readonly files: readonly ExportedFile[]
  /** Between which times it was created, by the clock of the service. */
  readonly createdBetween: readonly [number, number]
}

/** What playing an export takes. */
export type Stage = Pick<ExportContext, 'session' | 'exports' | 'bucket' | 'driver' | 'declared' | 'lookAt'>
type Wanted = Omit<ExportOrder, 'bulk_export_destination_id'>

/** Creates an export with a destination of its own, waits for its end and reads its files, which are what is looked at then. */
export async function play(stage: Stage, order: Wanted): Promise<PlayedExport> {
  const destination = await stage.exports.destination()
  const before = await stage.driver.now()
  const id = await stage.exports.create({ ...order, bulk_export_destination_id: destination.id })
  const after = await stage.driver.now()
  const ended = await succeeded(stage, id)
  const runs = await stage.exports.runs(id)
  const files = await filesOf(stage.bucket, { ...destination, id })
  stage.lookAt({ made: [id] })
  return { id, destination, ended, runs, files, createdBetween: [before, after] }
}

/** Waits until an export has ended; one that failed breaks the row that says that it is executed. */
export async function succeeded({ exports }: Pick<Stage, 'exports'>, id: string): Promise<unknown> {
  const ended = await exports.ended(id)
  if (hasSucceeded(ended)) return ended
  throw new Refused('export.execute.ends', 'an export that ends with success', show(textAt(ended, 'status')))
}

/** The export that most checks look at: without filter and fields, over several dates; made once. */
export async function wholeExport(stage: Stage): Promise<PlayedExport & { readonly material: Material }> {
  const whole = await stage.session.once('whole export', async () => {
    const found = await material(stage)
    return { ...(await play(stage, { start_time: found.start, end_time: found.end })), material: found }
  })
  stage.lookAt({ made: [whole.id] })
  return whole
}

/** The rows of the whole export; where there are none, the row that says that files are written is to blame. */
export async function wholeRows(stage: Stage): Promise<readonly Row[]> {
  const { files, material: found, id } = await wholeExport(stage)
  const rows = rowsIn(files)
  if (rows.length > 0) return rows
  if (found.seeded !== undefined) throw new Blocked('export.service.own-bucket', `no rows of the export ${id}`)
  throw new CouldNotRun(
    `an export of the project from ${found.start} to ${found.end} has no row`,
    unlockedBy(stage.session, 'a time with runs'),
  )
}
