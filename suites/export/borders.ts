import type { Check } from '../harness/check.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { rowsIn } from '../harness/export/exported-files.ts'
import { lackOf } from '../harness/export/features.ts'
import { baseRuns, halves } from '../harness/export/known-runs.ts'
import { iso } from '../harness/export/moments.ts'
import { sceneWithFiles } from '../harness/export/watching.ts'

/** A run that starts on the border of two windows, and in the exports of which of them it is. */
interface BorderRun {
  readonly start_time: string
  readonly in: readonly ('the earlier window' | 'the later window')[]
}

/** Runs on borders between the windows of a schedule; where none can be watched, between those of two exports. */
async function borderRuns(context: ExportContext): Promise<readonly BorderRun[]> {
  const { driver, declared } = context
  const scheduled =
    lackOf(declared.selfHosted, 'interval_hours') === undefined &&
    (await driver.offers('seedRuns')) &&
    (await driver.offers('advanceClock'))
  return scheduled ? betweenSpawned(context) : betweenHalves(context)
}

async function betweenSpawned(context: ExportContext): Promise<readonly BorderRun[]> {
  const { schedules, borders } = await sceneWithFiles(context)
  const [{ spawned }] = schedules
  return borders.map((record) => {
    const { start_time } = record
    const holding = spawned.filter((one) => one.onBorders.includes(record))
    const before = borders.filter((one) => one.start_time < start_time).length
    // The first border lies between the first window and the second.
    const later = before + 2
    return {
      start_time,
      in: holding.map(({ main }) => (main === later ? 'the later window' : 'the earlier window')),
    }
  })
}

async function betweenHalves(context: ExportContext): Promise<readonly BorderRun[]> {
  const { cutMs, first, second } = await halves(context)
  const ids = ({ files }: typeof first) => new Set(rowsIn(files).map((row) => String(row['id'])))
  const [earlier, later] = [ids(first), ids(second)]
  const runs = (await baseRuns(context)).filter((run) => Date.parse(run.start_time) === cutMs)
  return runs.map(({ id, start_time }) => {
    const sides = [earlier.has(id) && 'the earlier window', later.has(id) && 'the later window'] as const
    return { start_time: iso(Date.parse(start_time)), in: sides.filter((side) => side !== false) }
  })
}

const borders = exportCheck(
  ['export.file.border-kept', 'export.file.border', 'export.file.border-side'],
  'exports runs on the border of two windows',
  async (context) => {
    const { decide, observe } = context
    const runs = await borderRuns(context)
    const lost = runs.filter((run) => run.in.length === 0).map((run) => run.start_time)
    const twice = runs.filter((run) => run.in.length > 1).map((run) => run.start_time)
    await decide('export.file.border-kept', () =>
      context.verify(lost.length === 0, 'runs on a border that are lost', 'none', lost),
    )
    await decide('export.file.border', () =>
      context.verify(twice.length === 0, 'runs on a border that are there twice', 'none', twice),
    )
    observe('export.file.border-side', runs[0]?.in.join(' and ') || 'neither')
  },
)

export const borderChecks: readonly Check[] = [borders]
