import { Stopped } from '../errors.ts'
import { textAt } from '../json.ts'
import type { RegisteredDestination } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { type ExportedFile, filesOf } from './exported-files.ts'
import type { ExportRequest } from './exports.ts'
import { hasSucceeded } from './statuses.ts'

/** An export that has succeeded, with what it wrote. */
export interface FinishedExport {
  readonly id: string
  readonly destination: RegisteredDestination
  readonly runs: readonly unknown[]
  readonly files: readonly ExportedFile[]
}

/** Exports a window to a destination of its own, and reads the files. */
export async function exportWindow(
  { exports, bucket, driver }: Pick<ExportContext, 'exports' | 'bucket' | 'driver'>,
  order: Omit<ExportRequest, 'bulk_export_destination_id'>,
): Promise<FinishedExport> {
  const destination = await exports.destination()
  // The trace then shows the time of its creation.
  await driver.now()
  const id = await exports.create({ ...order, bulk_export_destination_id: destination.id })
  await succeeded(exports, id)
  return { id, destination, runs: await exports.runs(id), files: await filesOf(bucket, { ...destination, id }) }
}

/** Waits until an export has succeeded. */
export async function succeeded(exports: ExportContext['exports'], id: string): Promise<unknown> {
  const ended = await exports.ended(id)
  if (hasSucceeded(ended)) return ended
  throw new Stopped(`expected the export ${id} to succeed, received ${textAt(ended, 'status')}`, {
    requirement: 'export.execute.ends',
  })
}
