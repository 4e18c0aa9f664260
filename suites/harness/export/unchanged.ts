import { exportFields } from '../../catalog/export/files.ts'
import { Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { rowsIn } from './exported-files.ts'
import { unlockedBy } from './material.ts'
import type { Row } from './parquet.ts'
import { play, type Stage } from './play.ts'
import { wholeExport, wholeRows } from './played.ts'
import { canonical } from './same-value.ts'

/**
 * As `verify`, for what is compared with the whole export. Where no driver seeds the runs, somebody else may add to them
 * or change them: before anything fails the export is made again, and where it differs nobody is to blame.
 *
 * @throws Inconclusive where the project has changed
 */
export async function verifyUnchanged(
  context: ExportContext,
  holds: boolean,
  what: string,
  expected: string,
  received: unknown,
): Promise<void> {
  const about = context.lookedAt()
  if (!holds) await checkUnchanged(context)
  context.verify(holds, what, expected, received, about)
}

async function checkUnchanged(stage: Stage): Promise<void> {
  const { material } = await wholeExport(stage)
  if (material.seeded !== undefined) return
  const before = await wholeRows(stage)
  const again = await play(stage, { start_time: material.start, end_time: material.end })
  const changed = differences(before, rowsIn(again.files))
  if (changed.length === 0) return
  throw new Inconclusive(
    `the runs of the project changed during the test: two exports of the same window differ in ${changed.length} rows, such as ${changed[0]}`,
    unlockedBy(stage.session, 'a time whose runs no longer change'),
  )
}

const compared = [...exportFields, 'tenant_id', 'is_root']

/** What the two exports tell differently, by id. */
function differences(before: readonly Row[], after: readonly Row[]): readonly string[] {
  const told = (rows: readonly Row[]) => Map.groupBy(rows, (row) => String(row['id']))
  const [one, other] = [told(before), told(after)]
  const text = (rows: readonly Row[] = []) =>
    rows
      .map((row) => compared.map((name) => canonical(row[name])).join('\n'))
      .sort()
      .join('\n')
  return [...new Set([...one.keys(), ...other.keys()])].filter((id) => text(one.get(id)) !== text(other.get(id)))
}
