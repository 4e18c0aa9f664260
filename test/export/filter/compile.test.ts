import fc from 'fast-check'
import { expect, test } from 'vitest'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { compileFilter } from '../../../mock-server/export/filter/compile.ts'
import { likeTest } from '../../../mock-server/export/filter/like.ts'
import { parseFilter } from '../../../mock-server/export/filter/parse.ts'
import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { filterTree } from '../../fixtures/arbitrary-filters.ts'
import { printFilter } from '../../fixtures/print-filter.ts'
import { traceRecord } from '../../fixtures/trace-record.ts'

function passes(filter: string, changes: Partial<TraceRecord> = {}): boolean {
  return compileFilter(parseFilter(filter))(traceRecord(changes))
}

const stream = traceStream({
  ...{ seed: 'filter', tenantId: 't', sessionId: 's', traces: 200 },
  ...{ startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 2) },
})
const records = [...stream.all()].flat()

test.each([
  'eq(run_type, "llm")',
  'neq(run_type, "tool")',
  'in(run_type, ["tool", "llm"])',
  'eq(is_root, true)',
  'eq(total_tokens, 30)',
  'gt(total_tokens, 29)',
  'gte(total_tokens, 30)',
  'lt(total_cost, 0.001)',
  'lte(prompt_tokens, 20)',
  'in(completion_tokens, [1, 10])',
  'eq(latency, "1.5s")',
  'gt(latency, 1)',
  'lt(latency, 2s)',
  'gte(start_time, "2026-01-01T12:00:00Z")',
  'eq(start_time, "2026-01-01T13:00:00.000000+01:00")',
  'lt(start_time, 2026-01-02)',
  'lt(start_time, "2026-01-01T12:00:00.000001")',
  'has(tags, "chat")',
  'in(tags, ["chat", "other"])',
  'like(name, "Chat%")',
  'like(name, "%Model")',
  'like(name, "C__tM%l")',
  'search("HELLO")',
  'search(name, "chatm")',
  'eq(metadata_key, "environment")',
  'neq(metadata_key, "region")',
  'eq(input_value, "Hello")',
  'eq(input_key, "messages.content")',
  'and(eq(input_key, "messages.role"), eq(input_value, "user"))',
  'like(output_value, "H_")',
  'not(eq(status, "error"))',
  'or(eq(status, "error"), eq(status, "success"))',
  'neq(error, "boom")',
])('%s finds a record of which it is true', (filter) => {
  expect(passes(filter)).toBe(true)
  expect(passes(`not(${filter})`)).toBe(false)
})

test.each([
  'eq(run_type, "LLM")',
  'like(name, "chat%")',
  'like(name, "Chat")',
  'like(name, "%Chat")',
  'like(name, "_ChatModel")',
  'gt(total_tokens, 30)',
  'lt(total_tokens, 30)',
  'in(name, [])',
  'has(tags, "cha")',
  'eq(error, "")',
  'like(error, "%")',
  'gt(first_token_time, 1970-01-01)',
  'lt(first_token_time, 2100-01-01)',
  'eq(feedback_key, "score")',
  'eq(input_key, "content")',
  'search(error, "")',
])('%s does not find it', (filter) => {
  expect(passes(filter)).toBe(false)
  expect(passes(`not(${filter})`)).toBe(true)
})

test('a key and a value inside one `and` apply to the same entry', () => {
  const filter = 'and(eq(metadata_key, "env"), eq(metadata_value, "test"))'
  expect(passes(filter, { extra: { metadata: { env: 'test' } } })).toBe(true)
  expect(passes(filter, { extra: { metadata: { env: 'live', note: 'test' } } })).toBe(false)
  expect(
    passes('or(eq(metadata_key, "env"), eq(metadata_value, "test"))', { extra: { metadata: { note: 'test' } } }),
  ).toBe(true)

  const scored = 'and(eq(feedback_key, "user_score"), gt(feedback_score, 0.5))'
  expect(passes(scored, { feedback_stats: { user_score: { n: 2, avg: 0.6 } } })).toBe(true)
  expect(passes(scored, { feedback_stats: { user_score: { n: 2, avg: 0.4 }, other: { n: 1, avg: 1 } } })).toBe(false)
  expect(passes(scored, { feedback_stats: { user_score: { n: 2, avg: null } } })).toBe(false)

  const question = 'and(eq(run_type, "llm"), eq(input_key, "question"), like(input_value, "%refund%"))'
  expect(passes(question, { inputs: { question: 'a refund, please' } })).toBe(true)
  expect(passes(question, { inputs: { question: 'hello', history: 'a refund, please' } })).toBe(false)
})

test('alternatives of values apply to the entry of the key in the same `and`, and so does neq of a value', () => {
  const either = 'and(eq(metadata_key, "env"), or(eq(metadata_value, "a"), eq(metadata_value, "b")))'
  expect(passes(either, { extra: { metadata: { env: 'b' } } })).toBe(true)
  expect(passes(either, { extra: { metadata: { env: 'c', other: 'b' } } })).toBe(false)
  const other = 'and(eq(metadata_key, "env"), neq(metadata_value, "a"))'
  expect(passes(other, { extra: { metadata: { env: 'b', note: 'a' } } })).toBe(true)
  expect(passes(other, { extra: { metadata: { env: 'a', note: 'b' } } })).toBe(false)
})

test('two `and`s match two entries', () => {
  const filter =
    'and(and(eq(metadata_key, "a"), eq(metadata_value, "1")), and(eq(metadata_key, "b"), eq(metadata_value, "2")))'
  expect(passes(filter, { extra: { metadata: { a: '1', b: '2' } } })).toBe(true)
  expect(passes(filter, { extra: { metadata: { a: '1', b: '1' } } })).toBe(false)
})

test('neq of a key requires that no entry has the key', () => {
  expect(passes('neq(metadata_key, "a")', { extra: { metadata: { a: 1, b: 2 } } })).toBe(false)
  expect(passes('neq(metadata_key, "a")', { extra: null })).toBe(true)
  const both = 'and(eq(metadata_key, "b"), neq(metadata_key, "a"))'
  expect(passes(both, { extra: { metadata: { a: 1, b: 2 } } })).toBe(false)
  expect(passes(both, { extra: { metadata: { b: 2 } } })).toBe(true)
})

test('values of entries are compared with numbers as numbers, and with anything else as text', () => {
  const inputs = { count: 7, price: '7.0', flag: true, nested: { list: ['x', { deep: 'y' }] }, nothing: null }
  expect(passes('and(eq(input_key, "count"), eq(input_value, 7))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "price"), eq(input_value, 7))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "count"), eq(input_value, "7"))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "count"), gt(input_value, 6.5))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "flag"), eq(input_value, true))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "nested.list"), eq(input_value, "x"))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "nested.list.deep"), eq(input_value, "y"))', { inputs })).toBe(true)
  expect(passes('and(eq(input_key, "nothing"), like(input_value, "%"))', { inputs })).toBe(false)
})

test('like matches the same texts as a regular expression', () => {
  const piece = fc.constantFrom('a', 'b', '%', '_', '\\', '\\%', '\\_', '🙂', '.', '*', '\n')
  const pattern = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
  const text = fc
    .array(fc.constantFrom('a', 'b', '%', '_', '\\', '🙂', '.', '\n'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, text, (like, value) => {
      const source = like.replace(/\\(.)|\\$|%|_|[.*]/gsu, (character: string, escaped?: string) => {
        if (character === '%') return '.*'
        if (character === '_') return '.'
        return (escaped ?? character).replace(/[\\.*]/, '\\$&')
      })
      expect(likeTest(like)(value)).toBe(new RegExp(`^${source}$`, 'su').test(value))
    }),
    { numRuns: 2000 },
  )
})

test('many wildcards are as fast as few', () => {
  const long = 'a'.repeat(100_000)
  expect(likeTest(`${'%a'.repeat(1000)}%b`)(long)).toBe(false)
  expect(likeTest(`${'%a_'.repeat(1000)}%`)(long)).toBe(true)
})

test('any filter matches or rejects every record, and its negation does the opposite', () => {
  fc.assert(
    fc.property(filterTree, (tree) => {
      const [is, isNot] = [compileFilter(tree), compileFilter(parseFilter(`not(${printFilter(tree)})`))]
      for (const record of records.slice(0, 20)) expect(isNot(record)).toBe(!is(record))
    }),
  )
})

test('filters of generated traces match the same records as direct comparisons of fields', () => {
  const matching = (filter: string): readonly TraceRecord[] => records.filter(compileFilter(parseFilter(filter)))
  const failed = records.filter(({ status, is_root }) => status === 'error' && is_root)
  expect(failed.length).toBeGreaterThan(0)
  expect(matching('and(eq(status, "error"), eq(is_root, true))')).toEqual(failed)
  const tokyo = records.filter(({ extra }) => JSON.stringify(extra).includes('"time_zone":"Asia/Tokyo"'))
  expect(tokyo.length).toBeGreaterThan(0)
  expect(matching('and(eq(metadata_key, "time_zone"), eq(metadata_value, "Asia/Tokyo"))')).toEqual(tokyo)
  const [middle = traceRecord()] = records.slice(records.length / 2)
  expect(
    matching(`lt(start_time, "${middle.start_time}")`).length +
      matching(`gte(start_time, "${middle.start_time}")`).length,
  ).toBe(records.length)
})
