import { Blocked, Inconclusive, Refused } from '../errors.ts'
import { rowsIn } from './exported-files.ts'
import { type KnownRun, runOf } from './known-run.ts'
import { unlockedBy } from './material.ts'
import { iso } from './moments.ts'
import { type PlayedExport, play, type Stage } from './play.ts'
import { wholeExport, wholeRows } from './played.ts'

/** Two exports whose windows touch at a moment at which a run started. */
export interface Halves {
  readonly cutMs: number
  readonly first: PlayedExport
  readonly second: PlayedExport
}

/** The runs that the whole export tells of, by the columns that tell them apart. */
export async function baseRuns(stage: Stage): Promise<readonly KnownRun[]> {
  const rows = await wholeRows(stage)
  for (const column of ['id', 'start_time'] as const) {
    if (!rows.some((row) => column in row)) {
      throw new Blocked(`export.record.${column}.column`, `no row has the column ${column}`)
    }
  }
  return rows.flatMap((row) => runOf(row) ?? [])
}

/** The window of the whole export in two parts, made once: cut at the start of a run in the midst of all. */
export async function halves(stage: Stage): Promise<Halves> {
  const found = await stage.session.once('halves of the window', async () => {
    const { start, end, startMs, endMs, seeded } = (await wholeExport(stage)).material
    // Then the halves show what a filter by default excludes.
    if (seeded === undefined) await everyName(stage)
    const starts = (await baseRuns(stage))
      .map((run) => Date.parse(run.start_time))
      .filter((at) => at > startMs && at < endMs)
      .sort((a, b) => a - b)
    const cutMs = starts[Math.floor(starts.length / 2)]
    if (cutMs === undefined) {
      throw new Inconclusive('no run starts in the middle of the window', unlockedBy(stage.session, 'a time with runs'))
    }
    const [first, later] = await Promise.all([
      play(stage, { start_time: start, end_time: iso(cutMs) }),
      play(stage, { start_time: iso(cutMs), end_time: end }),
    ])
    return { cutMs, first, second: later }
  })
  return found
}

/**
 * Whether the export with the filter that every name passes contains all runs of the whole one, made once. Throws nothing
 * if the target refuses the filter, which is tested elsewhere.
 */
export function everyName(stage: Stage): Promise<boolean> {
  return stage.session.once('export of every name', async () => {
    const { start, end } = (await wholeExport(stage)).material
    const order = { start_time: start, end_time: end, filter: 'like(name, "%")' }
    const rows = await play(stage, order).then(
      ({ files }) => rowsIn(files),
      (error: unknown) => {
        if (error instanceof Refused) return []
        throw error
      },
    )
    const ids = new Set(rows.map((row) => row['id']))
    return (await wholeRows(stage)).every((row) => ids.has(row['id']))
  })
}
