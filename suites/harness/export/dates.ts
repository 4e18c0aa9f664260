import type { FilePath } from './file-path.ts'
import type { KnownRun } from './known-run.ts'
import type { Row } from './parquet.ts'
import { timeOf } from './row-matcher.ts'

const dayMs = 86_400_000

/**
 * The date (UTC) on which the run of a row started, in days since the Unix epoch; undefined where the row tells no time.
 *
 * A file may round its times to the millisecond: then a run of the last microseconds of a date reads as the midnight
 * after it, and stands rightly in the partition before, unless it is known to have started at that midnight.
 */
export function dateOf(row: Row, path: FilePath, run?: Pick<KnownRun, 'start_time'>): number | undefined {
  const ms = timeOf(row['start_time'])
  if (ms === undefined) return undefined
  const date = Math.floor(ms / dayMs)
  const mayBeRounded = ms % dayMs === 0 && (run === undefined || Date.parse(run.start_time) < ms)
  return mayBeRounded && partitionDate(path) === date - 1 ? date - 1 : date
}

/** The date that a path names, in days since the Unix epoch; undefined where a segment is missing. */
export function partitionDate({ values: { year, month, day } }: FilePath): number | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs
}
