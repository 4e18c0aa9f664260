import type { Row } from './parquet.ts'
import { timeOf } from './times.ts'

interface Identity {
  readonly id: string
  readonly name: string
  readonly start_time: string
}

/**
 * Creates a function that finds the record that an exported row shows: by `id`, else by the last id in `dotted_order`.
 * Records that no row shows by id are also found by name and start time, so that with wrong ids only the requirement about
 * ids fails. A run of another client with the same name and start time is not mistaken for a record with its own row.
 */
export function rowMatcher<R extends Identity>(
  records: readonly R[],
  rows: readonly Row[],
): (row: Row) => R | undefined {
  const byId = new Map(records.map((record) => [record.id, record]))
  const lastIdInOrder = (row: Row) => String(row['dotted_order']).slice(-36).toLowerCase()
  const findById = (row: Row) => byId.get(String(row['id'])) ?? byId.get(lastIdInOrder(row))
  const matched = new Set(rows.map(findById))
  const unmatched = records.filter((record) => !matched.has(record))
  const byNameAndStart = new Map(unmatched.map((record) => [nameAndStart(record.name, record.start_time), record]))
  return (row) => findById(row) ?? byNameAndStart.get(nameAndStart(row['name'], row['start_time']))
}

function nameAndStart(name: unknown, startTime: unknown): string {
  return `${timeOf(startTime) ?? ''} ${name}`
}
