import { isObject } from '../../catalog/facts.ts'
import { parseJson } from '../json.ts'
import type { Row } from './parquet-content.ts'
import { iso, timeOf } from './times.ts'

/** Run of the project with known contents: added by the driver, or read from an export. */
export interface KnownRun {
  readonly id: string
  readonly name: string
  readonly run_type: string
  /** ISO 8601, to the millisecond at least. */
  readonly start_time: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** Null for a run without a parent; undefined if that is unknown. */
  readonly parent_run_id: string | null | undefined
}

/** Run in an exported row; undefined if the row has no id or start time. */
export function runOf(row: Row): KnownRun | undefined {
  const [id, startMs] = [row['id'], timeOf(row['start_time'])]
  if (id === null || id === undefined || startMs === undefined) return undefined
  return {
    id: String(id),
    name: String(row['name'] ?? ''),
    run_type: String(row['run_type'] ?? ''),
    start_time: iso(startMs),
    inputs: objectIn(row['inputs']),
    parent_run_id: parentIn(row),
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  const parsed = jsonOf(value)
  return isObject(parsed) ? parsed : {}
}

/** Value of a JSON column, which some files contain as text. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const parsed = parseJson(value)
  return parsed === undefined ? value : parsed
}

/** Reads `parent_run_id`, or the last but one segment of `dotted_order`, which is the parent. */
function parentIn(row: Row): string | null | undefined {
  const { parent_run_id: parent, dotted_order: order } = row
  if ('parent_run_id' in row) return typeof parent === 'string' && parent !== '' ? parent : null
  if (typeof order !== 'string' || order === '') return undefined
  const segments = order.split('.')
  return segments.length === 1 ? null : (segments.at(-2)?.slice(-36) ?? null)
}
