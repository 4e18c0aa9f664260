import type { TraceRecord } from '../traces/record.ts'

/** Objects of a record whose entries a filter can look at, by key and by value. */
export type EntryFamily = 'metadata' | 'input' | 'output' | 'feedback'

/** What a name in a filter stands for. */
export type FilterField =
  /** A column: its text, number, truth, time, or list of texts. */
  | { readonly type: 'text' | 'number' | 'truth' | 'time' | 'list'; readonly column: keyof TraceRecord }
  /** The seconds from start to end. */
  | { readonly type: 'duration' }
  /** The key, or the value, of an entry. */
  | { readonly type: 'entry'; readonly family: EntryFamily; readonly side: 'key' | 'value' }

function text(column: keyof TraceRecord): FilterField {
  return { type: 'text', column }
}

function number(column: keyof TraceRecord): FilterField {
  return { type: 'number', column }
}

function entry(family: EntryFamily, side: 'key' | 'value'): FilterField {
  return { type: 'entry', family, side }
}

/** Every name that a filter may use (rule 9; what the document leaves open is as the public query language has it). */
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
  ['is_root', { type: 'truth', column: 'is_root' }],
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

/** What may be done with a field of each type. */
export const OPERATIONS: Readonly<Record<FilterField['type'], ReadonlySet<string>>> = {
  text: new Set(['eq', 'neq', 'in', 'like', 'search']),
  number: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  truth: new Set(['eq', 'neq']),
  time: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  list: new Set(['has', 'in', 'like', 'search']),
  duration: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in']),
  entry: new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'search']),
}

/** A statement about one entry. */
export type EntryTest = (key: string, value: unknown) => boolean

/** Whether any entry of an object of a record passes a test. */
export type SomeEntry = (record: TraceRecord, test: EntryTest) => boolean

// Deeper than any real input; what lies below is not looked at.
const DEEPEST = 50

/** How the entries of each family are looked at. Keys inside objects are told with dots: `user.name`. */
export const someEntry: Readonly<Record<EntryFamily, SomeEntry>> = {
  metadata: (record, test) => some(record.extra?.['metadata'], '', test, 0),
  input: (record, test) => some(record.inputs, '', test, 0),
  output: (record, test) => some(record.outputs, '', test, 0),
  feedback: ({ feedback_stats: stats }, test) =>
    Object.entries(stats ?? {}).some(
      ([key, { avg, values }]) => test(key, avg) || Object.keys(values ?? {}).some((word) => test(key, word)),
    ),
}

function some(value: unknown, path: string, test: EntryTest, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  // An array gives its items under its own key.
  if (Array.isArray(value)) return value.some((item) => test(path, item) || some(item, path, test, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    const key = path === '' ? name : `${path}.${name}`
    if (test(key, inner) || some(inner, key, test, depth + 1)) return true
  }
  return false
}
