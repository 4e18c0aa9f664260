import { parseTimestamp } from '../../catalog/timestamp.ts'
import type { Row } from './parquet.ts'

/** What a row is known by. */
interface Identity {
  readonly id: string
  readonly name: string
  readonly start_time: string
}

/**
 * Tells which record a row of an export is: by `id`, else by the last id in `dotted_order`. A record that no row of the
 * export names so is also known by name and start time, so that where ids are wrong only the row of the register about
 * ids fails; and a row that somebody else's run left at the same moment is never taken for it.
 */
export function rowMatcher<R extends Identity>(
  records: readonly R[],
  rows: readonly Row[],
): (row: Row) => R | undefined {
  const byId = new Map(records.map((record) => [record.id, record]))
  const named = (row: Row) =>
    byId.get(String(row['id'])) ??
    byId.get(
      String(row['dotted_order'] ?? '')
        .slice(-36)
        .toLowerCase(),
    )
  const there = new Set(rows.map(named))
  const nameless = records.filter((record) => !there.has(record))
  const byMoment = new Map(nameless.map((record) => [moment(record.name, record.start_time), record]))
  return (row) => named(row) ?? byMoment.get(moment(row['name'], row['start_time']))
}

function moment(name: unknown, time: unknown): string {
  return `${timeOf(time) ?? ''} ${name}`
}

/** Milliseconds since the Unix epoch that a value of a time column tells; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return value.getTime()
  const ms = typeof value === 'string' ? parseTimestamp(value) : Number(value) / scaleOf(Number(value))
  return Number.isNaN(ms) ? undefined : Math.floor(ms)
}

/** Bare numbers are seconds, milliseconds, microseconds or nanoseconds: the size tells. */
function scaleOf(number: number): number {
  if (number < 1e11) return 1e-3
  return number > 1e17 ? 1e6 : number > 1e14 ? 1e3 : 1
}
