import type { KnownRun } from '../values/export/known-run.ts'
import type { Row } from '../values/export/parquet-content.ts'
import { keysOfRecord, keysOfRow, rowMatcher } from '../values/export/row-matcher.ts'
import { isInside, type TimeRange } from '../values/export/times.ts'
import { at } from '../values/json.ts'
import { keyOf } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import type { ExportModel } from './export.ts'
import { countWhile } from './sorted.ts'

/** A run that the driver added to a project. */
export type SeededRun = KnownRun & Readonly<Record<string, unknown>>

/** Runs that the driver had added before an export selected its runs: to its project, and to others. */
export interface Seeds {
  /** Runs of its project. */
  readonly seeds: readonly SeededRun[]
  /** Returns the run that a row shows, if the driver added it to the project. */
  readonly runOf: (row: Row) => SeededRun | undefined
  /** Returns the run that a row shows, if the driver added it to another project. */
  readonly otherRunOf: (row: Row) => SeededRun | undefined
  /** Whether the driver added runs to other projects that start in a range, by default at any time. */
  readonly hasOthers: (range?: TimeRange) => boolean
}

export interface Seed {
  readonly run: SeededRun
  readonly seededAt: number
}

/** Yields the runs that the driver added, each once: after a lost response, a scenario adds the same runs again. */
export function* seededRuns({ observations }: ExportModel): Iterable<Seed> {
  const known = new Set<string>()
  for (const each of observations) {
    if (each.type !== 'seed') continue
    for (const record of each.records) {
      const run = record as unknown as SeededRun
      const { tenant_id, session_id, id } = run
      const key = `${projectKey(tenant_id, session_id)} ${id}`
      if (!known.has(key)) yield { run, seededAt: each.at }
      known.add(key)
    }
  }
}

/** The seeds by project, by what rows show of them, and in the order of their start. */
function indexes(model: ExportModel) {
  const all = select(model, seededRuns).map((seed, index) => {
    const { tenant_id, session_id, start_time } = seed.run
    return { ...seed, index, project: projectKey(tenant_id, session_id), startMs: Date.parse(start_time) }
  })
  const keyed = all.flatMap((seed) => keysOfRecord(seed.run).map((key) => ({ key, seed })))
  return {
    all,
    byProject: Map.groupBy(all, ({ project }) => project),
    byKey: Map.groupBy(keyed, ({ key }) => key),
    byStart: all.toSorted((a, b) => a.startMs - b.startMs),
  }
}

/**
 * Returns the runs that the driver had added before an export selected its runs, and finds those that its rows show.
 *
 * @param isInTime - whether the driver had, by default before the export was created
 */
export function seedsBefore(
  model: ExportModel,
  creation: Exchange | undefined,
  rows: readonly Row[],
  isInTime: (seed: Seed) => boolean = ({ seededAt }) => creation !== undefined && seededAt <= creation.sentAt,
): Seeds {
  if (creation === undefined) return none
  const { all, byProject, byKey, byStart } = derive(model, indexes)
  const ownProject = projectKey(creation.requestHeaders['x-tenant-id'], at(creation.request, 'session_id'))
  const isOther = (seed: (typeof all)[number]) => isInTime(seed) && seed.project !== ownProject
  const keys = new Set(rows.flatMap(keysOfRow))
  const found = new Set([...keys].flatMap((key) => (byKey.get(key) ?? []).map(({ seed }) => seed)))
  const shown = [...found].filter(isInTime).sort((a, b) => a.index - b.index)
  const runsIn = (isOwn: boolean) =>
    shown.flatMap(({ run, project }) => ((project === ownProject) === isOwn ? [run] : []))
  let otherMatcher: Seeds['otherRunOf'] | undefined
  return {
    seeds: (byProject.get(ownProject) ?? []).filter(isInTime).map(({ run }) => run),
    runOf: rowMatcher(runsIn(true), rows),
    otherRunOf(row) {
      otherMatcher ??= rowMatcher(runsIn(false), rows)
      return otherMatcher(row)
    },
    hasOthers(range) {
      if (range === undefined) return all.some(isOther)
      const [from, to] = [range.startMs, range.endMs].map((ms) => countWhile(byStart, ({ startMs }) => startMs < ms))
      return byStart.slice(from, to).some((seed) => isOther(seed) && isInside(seed.run, range))
    },
  }
}

const none: Seeds = { seeds: [], runOf: () => undefined, otherRunOf: () => undefined, hasOthers: () => false }

/** Identifies a project of a workspace. */
function projectKey(tenant: unknown, session: unknown): string {
  return JSON.stringify([keyOf(tenant), keyOf(session)])
}
