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
export function identifier<R extends Identity>(
  records: readonly R[],
  rows: readonly Row[],
): (row: Row) => R | undefined {
  const byId = new Map(records.map((record) => [record.id, record]))
  const named = (row: Row) => byId.get(String(row['id'])) ?? byId.get(String(row['dotted_order'] ?? '').slice(-36))
  const there = new Set(rows.map(named))
  const nameless = records.filter((record) => !there.has(record))
  const byMoment = new Map(nameless.map((record) => [moment(record.name, record.start_time), record]))
  return (row) => named(row) ?? byMoment.get(moment(row['name'], row['start_time']))
}

function moment(name: unknown, time: unknown): string {
  return `${timeOf(time) ?? ''} ${name}`
}

/** Milliseconds since the Unix epoch that a value of a time column tells; undefined for none. */
export function timeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string') return Math.floor(Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`))
  const number = Number(value)
  // Bare numbers are milliseconds, microseconds or nanoseconds: the size tells.
  const scale = number > 1e17 ? 1e6 : number > 1e14 ? 1e3 : 1
  return Math.floor(number / scale)
}
