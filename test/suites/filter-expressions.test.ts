import { expect, test } from 'vitest'
import { traceStream } from '../../fixtures/traces/stream.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import { and, eq, hasInput, input, like } from '../../suites/values/export/expression.ts'
import { filterCases } from '../../suites/values/export/filter-cases.ts'
import { mostSelective } from '../../suites/values/export/filter-suggestions.ts'
import type { KnownRun } from '../../suites/values/export/known-run.ts'

function run(of: Partial<KnownRun>): KnownRun {
  return {
    id: '1',
    name: '',
    run_type: 'llm',
    start_time: '2026-01-01T00:00:00Z',
    inputs: {},
    parent_run_id: null,
    ...of,
  }
}

test.each([
  [eq('name', 'Alpha'), { name: 'Alpha' }, true],
  [eq('name', 'Alpha'), { name: 'Alphabet' }, false],
  [like('Al%'), { name: 'Alpha\nBeta' }, true],
  [like('%a.b%'), { name: 'xaxbx' }, false],
  [and(eq('run_type', 'llm'), like('%ta')), { name: 'Beta' }, true],
  [and(eq('run_type', 'tool'), like('%TA')), { name: 'Beta' }, false],
  [hasInput('city'), { inputs: { city: 'Rome' } }, true],
  [hasInput('city'), { inputs: { town: 'Rome' } }, false],
  [input('city', 'eq', 'Rome'), { inputs: { city: 'Rome' } }, true],
  [input('city', 'like', 'Ro%'), { inputs: { city: 'Oslo' } }, false],
  [input('city', 'eq', 'Rome'), { inputs: { town: 'Rome' } }, false],
])('%o says of %o: %s', (expression, of, passes) => {
  expect(expression.passes(run(of))).toBe(passes)
})

test.each([
  ['the case of letters', eq('name', 'alpha'), { name: 'Alpha' }],
  ['the case of letters in a pattern', like('%ALPHA%'), { name: 'Alpha' }],
  ['a key that stands deeper', hasInput('city'), { inputs: { place: { city: 'Rome' } } }],
  ['the key of an empty value', hasInput('city'), { inputs: { city: '' } }],
  ['the key of a number', hasInput('city'), { inputs: { city: 7 } }],
  ['the value of another key', input('city', 'eq', 'Rome'), { inputs: { city: 'Oslo', town: 'Rome' } }],
  ['a part of an `and`', and(eq('run_type', 'llm'), eq('name', 'alpha')), { name: 'Alpha' }],
])('nothing is expected where the document leaves it open: %s', (_, expression, of) => {
  expect(expression.passes(run(of))).toBeUndefined()
})

const [tenantId, sessionId] = ['7a000000-0000-4000-8000-000000000001', '5e000000-0000-4000-8000-000000000001']
const options = { seed: 'a', tenantId, sessionId, startMs: 0, endMs: 86_400_000, traces: 100 }
const records = [...traceStream(options).all()].flat()

test.each(filterCases)(
  'the filter derived from runs for $requirement selects the same runs as the server',
  ({ suggested }) => {
    const filter = mostSelective(suggested(records), records)
    if (filter === undefined) throw new Error('none is suggested')

    const told = records.map((record) => filter.passes(record))
    const compiled = defaultExportPolicies.compileFilter(filter.text)

    expect(told).toContain(true)
    expect(told).toContain(false)
    expect(records.filter((record, index) => told[index] !== undefined && told[index] !== compiled(record))).toEqual([])
  },
)

test('no filter is derived from equal runs', () => {
  const alike = Array.from({ length: 5 }, (_, index) =>
    run({ id: `${index}`, name: 'Alpha', inputs: { city: 'Rome' } }),
  )

  expect(filterCases.filter(({ suggested }) => mostSelective(suggested(alike), alike))).toEqual([])
})
