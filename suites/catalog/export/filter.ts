import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Expressions of which the document says nothing, by the last part of their row's id. */
export const openFilters = {
  or: 'or(eq(run_type, "llm"), eq(run_type, "tool"))',
  not: 'not(eq(run_type, "llm"))',
  neq: 'neq(run_type, "llm")',
  gt: 'gt(total_tokens, 10)',
  gte: 'gte(start_time, "2023-01-01T00:00:00Z")',
  in: 'in(run_type, ["llm", "tool"])',
  has: 'has(tags, "production")',
  search: 'search("refund")',
  'is-root': 'eq(is_root, true)',
  status: 'eq(status, "success")',
  latency: 'gt(latency, "5s")',
  'metadata-key': 'eq(metadata_key, "environment")',
  'single-quotes': "eq(run_type, 'llm')",
  null: 'eq(error, null)',
  'unknown-function': 'touchstone(name, "x")',
  'unknown-field': 'eq(touchstone_no_such_field, "x")',
  unbalanced: 'and(eq(run_type, "llm")',
  'no-call': 'run_type',
  empty: '',
} as const

/** Filters: what of their language the document names is judged. */
export const filterRequirements: readonly Requirement[] = section('export', 'Endpoints / B. Bulk export API / Rules', [
  should('export.fields.smaller', 'Leaving out `inputs` and `outputs` makes files smaller.', {
    interpretation: 'Same window, fewer bytes.',
  }),
  must('export.fields.faster', 'Leaving out `inputs` and `outputs` reduces export time.', {
    excluded: 'times of single exports vary by more than that',
  }),
  must('export.filter.eq.run_type', '`eq(run_type, …)` exports the runs of that type and no others.'),
  must('export.filter.eq.name', '`eq(name, …)` exports the runs of that name and no others.'),
  must('export.filter.eq.input_key', '`eq(input_key, …)` exports the runs whose inputs have that key and no others.'),
  must(
    'export.filter.eq.input_value',
    '`eq(input_key, …)` and `eq(input_value, …)` in one `and` export the runs with that input and no others.',
  ),
  must('export.filter.like.prefix', '`like(name, "a%")` exports the runs whose name begins so and no others.'),
  must('export.filter.like.suffix', '`like(name, "%a")` exports the runs whose name ends so and no others.'),
  must('export.filter.like.infix', '`like(name, "%a%")` exports the runs whose name contains that and no others.'),
  must(
    'export.filter.like.input_value',
    '`like(input_value, …)` beside `eq(input_key, …)` exports the runs with such an input and no others.',
  ),
  must('export.filter.and', '`and` exports the runs that pass all its parts and no others.'),
  must('export.filter.and.nested', '`and` may stand inside `and`.'),
  ...Object.entries(openFilters).map(([key, text]) =>
    unspecified(`export.filter.open.${key}`, `What the filter \`${text}\` does.`),
  ),
])
