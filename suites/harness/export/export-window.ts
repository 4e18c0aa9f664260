import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { ExportedFile } from '../../values/export/exported-file.ts'
import { namesExport } from '../../values/export/file-path.ts'
import { hasSucceeded } from '../../values/export/statuses.ts'
import { textAt } from '../../values/json.ts'
import { ignoreLoss, Stopped } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { filesOf } from './exported-files.ts'
import type { ExportRequest, RegisteredDestination } from './exports.ts'

/** Export that has succeeded, with its files and export runs. */
export interface FinishedExport {
  readonly id: string
  readonly destination: RegisteredDestination
  readonly runs: readonly unknown[]
  readonly files: readonly ExportedFile[]
}

interface ExportWindowOptions {
  /** The requirement that the target accepts the export. */
  readonly requirement?: RequirementId
  /** @default a new destination under a unique prefix */
  readonly destination?: RegisteredDestination
}

/** Exports a window, waits until the export has succeeded, and reads its files. */
export async function exportWindow(
  { exports, bucket, driver }: Pick<ExportContext, 'exports' | 'bucket' | 'driver'>,
  request: Omit<ExportRequest, 'bulk_export_destination_id'>,
  { requirement, ...options }: ExportWindowOptions = {},
): Promise<FinishedExport> {
  const destination = options.destination ?? (await exports.destination())
  // Rules compare the time of the creation with this time of the service.
  await driver.now()
  const id = await exports.create({ ...request, bulk_export_destination_id: destination.id }, requirement)
  await succeeded(exports, id)
  const files = await filesOf(bucket, destination, [id])
  const own = files.filter(({ key }) => namesExport(key, id))
  const folders = new Set(own.map(({ key }) => key.slice(0, key.lastIndexOf('/'))))
  return { id, destination, runs: await exports.runs(id, folders.size), files }
}

/**
 * Polls an export until it has succeeded.
 *
 * @throws Stopped if it ends without success
 */
export async function succeeded(exports: ExportContext['exports'], id: string): Promise<unknown> {
  const ended = await exports.waitForEnd(id)
  if (hasSucceeded(ended, exports.statusWords)) return ended
  try {
    // Reports show the errors of its runs.
    await exports.runs(id)
  } catch (error) {
    // Whether the runs can be read is a requirement of its own.
    if (!(error instanceof Stopped)) ignoreLoss(error)
  }
  throw new Stopped(`expected the export ${id} to succeed, received ${textAt(ended, 'status')}`, {
    requirement: 'export.execute.ends',
  })
}
