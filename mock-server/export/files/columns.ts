import type { TraceRecord } from '../traces/record.ts'

/**
 * Type of a column's values: `text` and `word` are strings (`word`: likely to repeat, so dictionary-encoded), `json` is
 * JSON text, `time` a UTC timestamp in microseconds, `int` a 64-bit integer, `double` a 64-bit float, `boolean` true or false.
 */
export type ColumnKind = 'text' | 'word' | 'json' | 'time' | 'int' | 'double' | 'boolean'

/** One column of an exported file. */
export interface Column {
  readonly name: keyof TraceRecord
  readonly kind: ColumnKind
}

/**
 * Every column that an export can have, in file order. Ids are strings, not Parquet's UUID type: some readers return a
 * UUID as 16 raw bytes, while a string always equals the id in a response of the API.
 */
export const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'text' },
  { name: 'tenant_id', kind: 'word' },
  { name: 'session_id', kind: 'word' },
  { name: 'trace_id', kind: 'word' },
  { name: 'parent_run_id', kind: 'word' },
  { name: 'parent_run_ids', kind: 'json' },
  { name: 'reference_example_id', kind: 'text' },
  { name: 'name', kind: 'word' },
  { name: 'run_type', kind: 'word' },
  { name: 'start_time', kind: 'time' },
  { name: 'end_time', kind: 'time' },
  { name: 'status', kind: 'word' },
  { name: 'is_root', kind: 'boolean' },
  { name: 'dotted_order', kind: 'text' },
  { name: 'trace_tier', kind: 'word' },
  { name: 'inputs', kind: 'json' },
  { name: 'outputs', kind: 'json' },
  { name: 'error', kind: 'word' },
  { name: 'extra', kind: 'json' },
  { name: 'events', kind: 'json' },
  { name: 'tags', kind: 'json' },
  { name: 'feedback_stats', kind: 'json' },
  { name: 'total_tokens', kind: 'int' },
  { name: 'prompt_tokens', kind: 'int' },
  { name: 'completion_tokens', kind: 'int' },
  { name: 'total_cost', kind: 'double' },
  { name: 'prompt_cost', kind: 'double' },
  { name: 'completion_cost', kind: 'double' },
  { name: 'first_token_time', kind: 'time' },
]

/** Valid names in `export_fields`. */
export const EXPORT_FIELDS: readonly string[] = COLUMNS.map(({ name }) => name)

// These two are not fields of the run data format, so `export_fields` cannot leave them out.
const ALWAYS: ReadonlySet<string> = new Set(['tenant_id', 'is_root'])

/**
 * Returns the columns of an export with these `export_fields`, in file order; all columns if it has none.
 * Every file has `tenant_id` and `is_root`. Unknown names are ignored: reject them before.
 */
export function columnsOf(exportFields?: readonly string[]): readonly Column[] {
  if (!exportFields) return COLUMNS
  return COLUMNS.filter(({ name }) => ALWAYS.has(name) || exportFields.includes(name))
}
