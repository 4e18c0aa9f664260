import { exportFields } from '../../catalog/export/files.ts'
import { type ExportField, isSameValue } from './compare-values.ts'
import type { Row } from './parquet-content.ts'
import { timeOf } from './times.ts'

interface Identity extends Readonly<Partial<Record<ExportField, unknown>>> {
  readonly id: string
  readonly name: string
  readonly start_time: string
}

/**
 * Creates a function that finds the record that an exported row shows: by `id`, else by the last id in `dotted_order`.
 * Records that no row shows by id are also found by name and start time, so that with wrong ids, also those of other
 * records, only the requirement about ids fails; of several records, the one with most values of the row. A run of another
 * client with the same name and start time is not mistaken for a record with its own row. The rows are those of `rows`.
 */
export function rowMatcher<R extends Identity>(
  records: readonly R[],
  rows: readonly Row[],
): (row: Row) => R | undefined {
  const byId = new Map(records.map((record) => [record.id, record]))
  const named = (row: Row) => byId.get(String(row['id'])) ?? byId.get(lastIdInOrder(row))
  const recordOf = new Map<Row, R | undefined>()
  for (const [record, same] of Map.groupBy(rows, named)) {
    const isIt = (row: Row) => same.length === 1 || keyOfRow(row) === nameAndStart(record?.name, record?.start_time)
    for (const row of same) recordOf.set(row, record && isIt(row) ? record : undefined)
  }
  const others = rows.filter((row) => recordOf.get(row) === undefined)
  if (others.length === 0) return (row) => recordOf.get(row)
  const matched = new Set(recordOf.values())
  const unmatched = records.filter((record) => !matched.has(record))
  const byNameAndStart = Map.groupBy(unmatched, (record) => nameAndStart(record.name, record.start_time))
  for (const row of others) recordOf.set(row, mostSimilar(row, byNameAndStart.get(keyOfRow(row)) ?? []) ?? named(row))
  return (row) => recordOf.get(row)
}

/** Returns what shows a record in rows: its id, and its name and start time. */
export function keysOfRecord({ id, name, start_time }: Identity): readonly string[] {
  return [id, nameAndStart(name, start_time)]
}

/** Returns what a row shows of its record. */
export function keysOfRow(row: Row): readonly string[] {
  return [String(row['id']), lastIdInOrder(row), keyOfRow(row)]
}

function keyOfRow(row: Row): string {
  return nameAndStart(row['name'], row['start_time'])
}

function lastIdInOrder(row: Row): string {
  return String(row['dotted_order']).slice(-36).toLowerCase()
}

/** A parent and its first child may have the same name and start in the same millisecond. */
function mostSimilar<R extends Identity>(row: Row, records: readonly R[]): R | undefined {
  if (records.length < 2) return records[0]
  const equalValues = (record: R) => exportFields.filter((field) => isSameValue(field, row[field], record)).length
  return records.toSorted((a, b) => equalValues(b) - equalValues(a))[0]
}

function nameAndStart(name: unknown, startTime: unknown): string {
  return `${timeOf(startTime) ?? ''} ${name}`
}
