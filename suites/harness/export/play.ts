import { Refused } from '../errors.ts'
import { show, textAt } from '../json.ts'
import type { Registered } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { type ExportedFile, filesOf } from './exported-files.ts'
import type { ExportOrder } from './exports.ts'
import { hasSucceeded } from './statuses.ts'

/** An export from its creation to its files. */
export interface PlayedExport {
  readonly id: string
  readonly destination: Registered
  readonly runs: readonly unknown[]
  readonly files: readonly ExportedFile[]
}

/** What playing an export takes. */
export type Stage = Pick<ExportContext, 'session' | 'exports' | 'bucket' | 'driver' | 'declared'>
type Wanted = Omit<ExportOrder, 'bulk_export_destination_id'>

/** Creates an export with a destination of its own, waits for its end and reads its files, which are what is looked at then. */
export async function play(stage: Stage, order: Wanted): Promise<PlayedExport> {
  const destination = await stage.exports.destination()
  // The trace then shows the time of its creation.
  await stage.driver.now()
  const id = await stage.exports.create({ ...order, bulk_export_destination_id: destination.id })
  await succeeded(stage, id)
  const runs = await stage.exports.runs(id)
  const files = await filesOf(stage.bucket, { ...destination, id })
  return { id, destination, runs, files }
}

/** Waits until an export has ended; one that failed breaks the row that says that it is executed. */
export async function succeeded({ exports }: Pick<Stage, 'exports'>, id: string): Promise<unknown> {
  const ended = await exports.ended(id)
  if (hasSucceeded(ended)) return ended
  throw new Refused('export.execute.ends', 'an export that ends with success', show(textAt(ended, 'status')))
}
