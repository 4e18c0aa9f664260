import { Blocked, Inconclusive } from '../errors.ts'
import { rowsIn } from './exported-files.ts'
import { type Material, material, unlockedBy } from './material.ts'
import type { Row } from './parquet.ts'
import { type PlayedExport, play, type Stage } from './play.ts'

/** The export that most checks look at: without filter and fields, over several dates; made once. */
export async function wholeExport(stage: Stage): Promise<PlayedExport & { readonly material: Material }> {
  const whole = await stage.session.once('whole export', async () => {
    const found = await material(stage)
    const played = found.seeded?.whole ?? (await play(stage, { start_time: found.start, end_time: found.end }))
    return { ...played, material: found }
  })
  return whole
}

/** The rows of the whole export; where there are none, the row that says that files are written is to blame. */
export async function wholeRows(stage: Stage): Promise<readonly Row[]> {
  const { files, material: found, id } = await wholeExport(stage)
  const rows = rowsIn(files)
  if (rows.length > 0) return rows
  if (found.seeded !== undefined) throw new Blocked('export.service.own-bucket', `the export ${id} has no rows`)
  throw new Inconclusive(
    `the export of the project from ${found.start} to ${found.end} contains no runs`,
    unlockedBy(stage.session, 'a time with runs'),
  )
}
