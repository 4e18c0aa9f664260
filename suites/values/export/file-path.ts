import { pathSegments } from '../../catalog/export/files.ts'
import type { KnownRun } from './known-run.ts'
import type { Row } from './parquet-content.ts'
import { timeOf } from './times.ts'

/** Shorter ids may be part of a key by chance. */
const minIdLength = 16
const dayMs = 86_400_000

/** Whether a key contains the id of an export: a short id only in the documented segment. The case of UUIDs is ignored. */
export function namesExport(key: string, id: string): boolean {
  const [path, lowerCaseId] = [key.toLowerCase(), id.toLowerCase()]
  const hasSegment = path.split('/').includes(`export_id=${lowerCaseId}`)
  return hasSegment || (lowerCaseId.length >= minIdLength && path.includes(lowerCaseId))
}

/**
 * Whether an object is a data file: it contains rows, or could. Many readers of Parquet files ignore names that start with
 * `_` or `.`, such as `_metadata`. An object in another format outside the folders of dates describes the export.
 */
export function isDataFile(key: string, content: { readonly rows: readonly unknown[] } | undefined): boolean {
  if (content !== undefined && content.rows.length > 0) return true
  return !/^[_.]/.test(key.split('/').at(-1) ?? '') && (content !== undefined || key.includes('/day='))
}

type PathSegment = (typeof pathSegments)[number]

/** Path of an exported file. */
export interface FilePath {
  /** Whether the path begins with the prefix of the destination. */
  readonly underPrefix: boolean
  /** Values of the documented segments; a segment that is missing or does not follow the one before has none. */
  readonly values: Readonly<Partial<Record<PathSegment, string>>>
  /** Name of the file. */
  readonly file: string
}

/** Bucket and prefix of a destination. */
export interface BucketPrefix {
  readonly bucket: string
  readonly prefix: string
}

/** Parses the key of an exported file. A bucket name at its start is ignored. */
export function parsePath(key: string, place: BucketPrefix): FilePath {
  const path = key.startsWith(`${place.bucket}/`) ? key.slice(place.bucket.length + 1) : key
  const underPrefix = path.startsWith(`${place.prefix}/`)
  const parts = (underPrefix ? path.slice(place.prefix.length + 1) : path).split('/')
  const values: Partial<Record<PathSegment, string>> = {}
  let from = underPrefix ? 0 : parts.findIndex((part) => isSegment(part, 'export_id'))
  // There may be another segment instead of each missing one.
  let missing = 0
  for (const segment of pathSegments) {
    const index = parts.findIndex((part, position) => position >= from && isSegment(part, segment))
    if (index >= 0 && index <= from + missing)
      values[segment] = segment === 'runs' ? 'runs' : (parts[index] ?? '').slice(segment.length + 1)
    missing = index < 0 ? missing + 1 : 0
    if (index >= 0) from = index + 1
  }
  return { underPrefix, values, file: parts.at(-1) ?? '' }
}

function isSegment(part: string, segment: PathSegment): boolean {
  return segment === 'runs' ? part === 'runs' : part.startsWith(`${segment}=`)
}

/** Date of the partition in a path, in days since the Unix epoch; undefined if a segment is missing. */
export function partitionDate({ values: { year, month, day } }: FilePath): number | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs
}

/**
 * Date (UTC) on which the run of a row started, in days since the Unix epoch; undefined if the row has no start time and its
 * run is not known.
 *
 * Files may round times to the millisecond. A run of the last microseconds of a date then shows the next midnight, and is
 * correctly in the earlier partition, unless it is known to have started at that midnight.
 */
export function dateOf(row: Row, path: FilePath, run?: Pick<KnownRun, 'start_time'>): number | undefined {
  const isShown = 'start_time' in row
  const ms = timeOf(isShown ? row['start_time'] : run?.start_time)
  if (ms === undefined) return undefined
  // If the row does not show a rounded time, only the path can show that the service rounds up to the next midnight.
  const roundedUp = Math.floor((ms + 1) / dayMs)
  if (!isShown && partitionDate(path) === roundedUp) return roundedUp
  const date = Math.floor(ms / dayMs)
  const mayBeRounded = ms % dayMs === 0 && (run === undefined || Date.parse(run.start_time) < ms)
  return mayBeRounded && partitionDate(path) === date - 1 ? date - 1 : date
}
