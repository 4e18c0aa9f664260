import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Undocumented filter expressions, by the last part of their requirement's id. */
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

/** What documented filters export, by the last parts of their requirement's id. */
const documentedFilters = {
  'eq.run_type': '`eq(run_type, …)` exports only the runs of that type',
  'eq.name': '`eq(name, …)` exports only the runs with that name',
  'eq.input_key': '`eq(input_key, …)` exports only the runs whose inputs have that key',
  'eq.input_value': '`eq(input_key, …)` and `eq(input_value, …)` in one `and` export only the runs with that input',
  'like.prefix': '`like(name, "a%")` exports only the runs whose name starts with that text',
  'like.suffix': '`like(name, "%a")` exports only the runs whose name ends with that text',
  'like.infix': '`like(name, "%a%")` exports only the runs whose name contains that text',
  'like.middle':
    '`like(name, "a%b")` exports only the runs whose name starts with the first text and ends with the second',
  'like.input_value':
    '`eq(input_key, …)` and `like(input_value, …)` in one `and` export only the runs with such an input',
  and: '`and` exports only the runs that match all its arguments',
}

/** Requirements of filters. */
export const filterRequirements: readonly Requirement[] = section('export', 'Endpoints / B. Bulk export API / Rules', [
  should('export.fields.smaller', 'Leaving out `inputs` and `outputs` makes files smaller.', {
    interpretation: 'Two exports of one window are compared by their bytes.',
  }),
  must('export.fields.faster', 'Leaving out `inputs` and `outputs` reduces export time.', {
    excluded: 'The times of single exports vary more than the difference.',
  }),
  ...Object.entries(documentedFilters).map(([key, text]) => must(`export.filter.${key}`, `${text}, and all of them.`)),
  must('export.filter.and.nested', 'An argument of `and` can be another `and`.'),
  ...Object.entries(openFilters).map(([key, text]) =>
    unspecified(`export.filter.open.${key}`, `What the filter \`${text}\` does.`),
  ),
])
