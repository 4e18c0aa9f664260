import type { TraceRecord } from '../traces/record.ts'

/**
 * How the values of a column are written: `text` as strings, `word` as strings that recur, `json` as JSON text,
 * `time` as UTC timestamps in microseconds, `int` as 64-bit integers, `double` and `flag` as what they are.
 */
export type ColumnKind = 'text' | 'word' | 'json' | 'time' | 'int' | 'double' | 'flag'

/** One column of an exported file. */
export interface Column {
  readonly name: keyof TraceRecord
  readonly kind: ColumnKind
}

/**
 * Every column that an export can have, in the order of the files. Ids are strings and not of Parquet's UUID type:
 * some readers give those as 16 raw bytes, and a string compares equal to the id in an answer of the API everywhere.
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
  { name: 'is_root', kind: 'flag' },
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

/** The names that `export_fields` may hold. */
export const EXPORT_FIELDS: readonly string[] = COLUMNS.map(({ name }) => name)

// Export-only fields, which every file has: they are no fields of the run data format that could be left out.
const ALWAYS: ReadonlySet<string> = new Set(['tenant_id', 'is_root'])

/**
 * The columns of an export whose `export_fields` are these, always in the same order; all columns without a list.
 * `tenant_id` and `is_root` are in every file. Names that are no columns add nothing: refuse them before.
 */
export function columnsOf(exportFields?: readonly string[]): readonly Column[] {
  if (!exportFields) return COLUMNS
  return COLUMNS.filter(({ name }) => ALWAYS.has(name) || exportFields.includes(name))
}
