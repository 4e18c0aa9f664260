import { Blocked, Inconclusive, Refused } from '../errors.ts'
import { rowsIn } from './exported-files.ts'
import { identifier } from './identify.ts'
import { type KnownRun, runOf } from './known-run.ts'
import { unlockedBy, unlockedBySeeds } from './material.ts'
import { iso } from './moments.ts'
import type { Row } from './parquet.ts'
import { type PlayedExport, play, type Stage } from './play.ts'
import { wholeExport, wholeRows } from './played.ts'

/** The rows of an export and the window that it was asked for. */
interface JudgedExport {
  readonly rows: readonly Row[]
  readonly startMs: number
  readonly endMs: number
  /** How near to the borders a run may be on either side. */
  readonly slackMs: number
}

/** The runs of the project, and exports without a filter that are judged by them. */
export interface KnownRuns {
  readonly runs: readonly KnownRun[]
  readonly judged: readonly JudgedExport[]
  /** Whether they also hold what a filter would leave out that is there by default. */
  readonly beyondDefault: boolean
  /** Whether a row is of another project; throws Inconclusive where that is not told. */
  isForeign(row: Row): boolean
}

/** Two exports whose windows touch at a moment at which a run started. */
export interface Halves {
  readonly cutMs: number
  readonly first: PlayedExport
  readonly second: PlayedExport
}

/** Services may take the borders of a window to the second. */
const second = 1000

/**
 * The runs of the project: those that the driver has seeded; without a driver all that the target tells of in the whole
 * export, in two that share its window, and in one whose filter lets every name pass.
 */
export async function knownRuns(stage: Stage): Promise<KnownRuns> {
  const { startMs, endMs, seeded } = (await wholeExport(stage)).material
  const rows = await wholeRows(stage)
  if (seeded) {
    const [own, other] = [identifier(seeded.records, rows), identifier(seeded.ofOtherProject, rows)]
    return {
      runs: seeded.records,
      judged: [{ rows, startMs, endMs, slackMs: 1 }],
      beyondDefault: true,
      isForeign: (row) => own(row) === undefined && other(row) !== undefined,
    }
  }
  const { cutMs, first, second: later } = await halves(stage)
  const parts = [
    { rows, startMs, endMs },
    { rows: rowsIn(first.files), startMs, endMs: cutMs },
    { rows: rowsIn(later.files), startMs: cutMs, endMs },
  ]
  const named = await everyName(stage)
  const told = [...parts.flatMap((part) => part.rows), ...(named ?? [])].flatMap((row) => runOf(row) ?? [])
  return {
    runs: [...new Map(told.map((run) => [run.id, run])).values()],
    judged: parts.map((part) => ({ ...part, slackMs: second })),
    beyondDefault: named !== undefined,
    isForeign(row) {
      const project = row['session_id']
      if (typeof project === 'string') return project.toLowerCase() !== stage.declared.session.toLowerCase()
      throw new Inconclusive('exported rows do not show their project', unlockedBySeeds(stage.session))
    },
  }
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
    const { start, end, startMs, endMs } = (await wholeExport(stage)).material
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
  stage.lookAt({ made: [found.first.id, found.second.id] })
  return found
}

/** The rows of the whole window with the filter that every name passes; undefined where it does not let all pass. */
async function everyName(stage: Stage): Promise<readonly Row[] | undefined> {
  const { start, end } = (await wholeExport(stage)).material
  const order = { start_time: start, end_time: end, filter: 'like(name, "%")' }
  const rows = await play(stage, order).then(
    ({ files }) => rowsIn(files),
    (error: unknown) => {
      // What is refused is judged by the checks of filters.
      if (error instanceof Refused) return []
      throw error
    },
  )
  const ids = new Set(rows.map((row) => row['id']))
  return (await wholeRows(stage)).every((row) => ids.has(row['id'])) ? rows : undefined
}
