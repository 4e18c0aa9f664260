import { select } from '../../model/endpoint.ts'
import type { ExportModel } from '../../model/export.ts'
import { exported } from '../../model/exported.ts'
import { schedules } from '../../model/schedules.ts'
import { areReadable, type ExportedFile } from '../../values/export/exported-file.ts'
import type { KnownRun } from '../../values/export/known-run.ts'
import { rowMatcher } from '../../values/export/row-matcher.ts'
import { windowEnd } from '../../values/export/windows.ts'
import { type Rule, rules, verifyAll, verifyNone } from '../rule.ts'
import { compareRuns, knownRuns, projectOf } from './exported-runs.ts'

/** Whether a run starts at a time, to the millisecond. */
const startsAt = ({ start_time }: KnownRun, ms: number) => Date.parse(start_time) === ms

/** A file that cannot be read may contain what seems to be missing. */
const unreadable = (exports: readonly { readonly files?: readonly ExportedFile[] | undefined }[]) =>
  exports.every(({ files }) => areReadable(files ?? [])) ? undefined : ('export.file.parquet' as const)

/** Runs on the border of the windows of two exports, with the runs that these exports contain. */
function* bordersOfExports(model: ExportModel) {
  const all = select(model, exported).filter(({ isPlain }) => isPlain)
  const byEnd = Map.groupBy(all, (each) => `${projectOf(each)} ${each.endMs}`)
  for (const second of all) {
    for (const first of byEnd.get(`${projectOf(second)} ${second.startMs}`) ?? []) {
      const [before, after] = first.exchange.sentAt < second.exchange.sentAt ? [first, second] : [second, first]
      const known = knownRuns(model, after)
      const runs = known.filter((run) => startsAt(run, first.endMs))
      // A run just before the border may have the name of one on it, and its time rounded to the border in the row.
      const containedRuns = [first, second].flatMap(({ rows }) => [...new Set(rows.map(rowMatcher(known, rows)))])
      const both = [first, second].map((each) => compareRuns(model, each))
      const causes = {
        lost:
          unreadable([first, second]) ??
          (both.some(({ missing }) => missing.length > 0) ? ('export.service.time-range' as const) : undefined),
        twice: both.some(({ outside }) => outside.length > 0) ? ('export.service.nothing-outside' as const) : undefined,
      }
      yield { exchange: after.exchange, setup: [before.exchange], runs, containedRuns, causes }
    }
  }
}

/** The same for two adjacent windows of a schedule. */
function* bordersOfWindows(model: ExportModel) {
  for (const schedule of select(model, schedules)) {
    const written = schedule.spawned.filter(({ hasSucceeded, files = [] }) => hasSucceeded && files.length > 0)
    for (const first of written) {
      const window = first.window ?? Number.NaN
      const both = written.filter((each) => each.window === window || each.window === window + 1)
      const exchange = first.end?.exchange
      if (exchange === undefined || !both.some((each) => each.window === window + 1)) continue
      const runs = schedule.runs.filter((run) => startsAt(run, windowEnd(schedule, window)))
      const containedRuns = both.flatMap((each) => [...new Set(each.runs)])
      const side = (['start', 'end'] as const).find((each) => both.some(({ signs }) => signs[each].length > 0))
      const cause = side && (`export.schedule.window.${side}` as const)
      const causes = { lost: unreadable(both) ?? cause, twice: cause }
      yield { exchange, setup: [schedule.creation], runs, containedRuns, causes }
    }
  }
}

function* borders(model: ExportModel) {
  for (const { runs, containedRuns, ...subject } of [...bordersOfExports(model), ...bordersOfWindows(model)]) {
    const counted = runs.map(({ start_time, id }) => ({
      id,
      start_time,
      count: containedRuns.filter((run) => run?.id === id).length,
    }))
    if (runs.length > 0) yield { ...subject, counted }
  }
}

/** Rules about runs on the border of two windows. */
export const borderRules: readonly Rule<ExportModel>[] = [
  ...rules(
    borders,
    {
      'export.file.border-kept': ({ counted }) =>
        verifyAll(
          counted.filter(({ count }) => count === 0),
          'the files of two exports with adjacent windows',
          'all runs on the border',
        ),
    },
    ({ causes }) => causes.lost,
  ),
  ...rules(
    borders,
    {
      'export.file.border': ({ counted }) =>
        verifyNone(
          counted.filter(({ count }) => count > 1),
          'runs on a border that two exports contain',
        ),
    },
    ({ causes }) => causes.twice,
  ),
]
