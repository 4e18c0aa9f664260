import type { TraceRecord } from '../traces/record.ts'

/** Objects of a record that a filter can test by the key and the value of their entries. */
export type EntrySource = 'metadata' | 'input' | 'output' | 'feedback'

/** Meaning of a field name in a filter. */
export type FilterField =
  /** A column with a string, number, boolean, time, or list of strings. */
  | { readonly type: 'text' | 'number' | 'boolean' | 'time' | 'list'; readonly column: keyof TraceRecord }
  /** Seconds from start to end. */
  | { readonly type: 'duration' }
  /** The key or the value of an entry. */
  | { readonly type: 'entry'; readonly source: EntrySource; readonly side: 'key' | 'value' }

function text(column: keyof TraceRecord): FilterField {
  return { type: 'text', column }
}

function number(column: keyof TraceRecord): FilterField {
  return { type: 'number', column }
}

function entry(source: EntrySource, side: 'key' | 'value'): FilterField {
  return { type: 'entry', source, side }
}

/**
 * Fields by name. Section of the specification: Endpoints, rule 9. Details that it does not define follow the filter query
 * language of LangSmith.
 */
export const FILTER_FIELDS: ReadonlyMap<string, FilterField> = new Map<string, FilterField>([
  ['id', text('id')],
  ['name', text('name')],
  ['run_type', text('run_type')],
  ['status', text('status')],
  ['error', text('error')],
  ['trace', text('trace_id')],
  ['trace_id', text('trace_id')],
  ['parent_run_id', text('parent_run_id')],
  ['reference_example', text('reference_example_id')],
  ['reference_example_id', text('reference_example_id')],
  ['dotted_order', text('dotted_order')],
  ['trace_tier', text('trace_tier')],
  ['is_root', { type: 'boolean', column: 'is_root' }],
  ['start_time', { type: 'time', column: 'start_time' }],
  ['end_time', { type: 'time', column: 'end_time' }],
  ['first_token_time', { type: 'time', column: 'first_token_time' }],
  ['latency', { type: 'duration' }],
  ['total_tokens', number('total_tokens')],
  ['prompt_tokens', number('prompt_tokens')],
  ['completion_tokens', number('completion_tokens')],
  ['total_cost', number('total_cost')],
  ['prompt_cost', number('prompt_cost')],
  ['completion_cost', number('completion_cost')],
  ['tags', { type: 'list', column: 'tags' }],
  ['parent_run_ids', { type: 'list', column: 'parent_run_ids' }],
  ['metadata_key', entry('metadata', 'key')],
  ['metadata_value', entry('metadata', 'value')],
  ['input_key', entry('input', 'key')],
  ['input_value', entry('input', 'value')],
  ['output_key', entry('output', 'key')],
  ['output_value', entry('output', 'value')],
  ['feedback_key', entry('feedback', 'key')],
  ['feedback_score', entry('feedback', 'value')],
])

/** Functions that a filter can apply to each type of field. */
export const OPERATIONS: Readonly<Record<FilterField['type'], ReadonlySet<string>>> = {
  text: new Set(['eq', 'neq', 'in', 'like', 'search']),
  number: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  boolean: new Set(['eq', 'neq']),
  time: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  list: new Set(['has', 'in', 'like', 'search']),
  duration: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  entry: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'search']),
}

/** Test of one entry of an object. */
export type EntryTest = (key: string, value: unknown) => boolean

/** Returns whether any entry of an object of a record passes a test. */
type SomeEntry = (record: TraceRecord, test: EntryTest) => boolean

// Deeper than any real input. Deeper entries are not tested.
const MAX_DEPTH = 50

/** Tests the entries of each object. Keys of nested objects are joined with dots: `user.name`. */
export const someEntry: Readonly<Record<EntrySource, SomeEntry>> = {
  metadata: (record, test) => some(record.extra?.['metadata'], '', test, 0),
  input: (record, test) => some(record.inputs, '', test, 0),
  output: (record, test) => some(record.outputs, '', test, 0),
  feedback: ({ feedback_stats: stats }, test) =>
    Object.entries(stats ?? {}).some(
      ([key, { avg, values }]) => test(key, avg) || Object.keys(values ?? {}).some((text) => test(key, text)),
    ),
}

function some(value: unknown, path: string, test: EntryTest, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  // Items of an array have the key of the array.
  if (Array.isArray(value)) return value.some((item) => test(path, item) || some(item, path, test, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    const key = path === '' ? name : `${path}.${name}`
    if (test(key, inner) || some(inner, key, test, depth + 1)) return true
  }
  return false
}
