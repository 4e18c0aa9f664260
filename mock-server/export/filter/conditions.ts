import { parseMicros } from '../traces/micros.ts'
import type { TraceRecord } from '../traces/record.ts'
import { type EntryTest, FILTER_FIELDS, type FilterField, someEntry } from './fields.ts'
import { comparisonOf, textTest, valueTest } from './tests.ts'
import type { FieldCondition, FilterCondition } from './tree.ts'
import { timeOf } from './values.ts'

/** Whether a record passes a filter. */
export type RecordTest = (record: TraceRecord) => boolean

/** Compiles a condition into a test of records. Every comparison with a field that has no value is false. */
export function conditionTest(condition: FilterCondition): RecordTest {
  if (condition.kind === 'search' && condition.field === undefined) return searchTest(condition.text)
  const field = fieldOf(condition)
  if (condition.kind === 'neq') {
    const equals = conditionTest({ ...condition, kind: 'eq' })
    return (record) => !equals(record)
  }
  switch (field.type) {
    case 'text':
    case 'list':
      return columnTest(field.column, textTest(condition))
    case 'number':
      return numberTest(condition, (record) => (record[field.column] ?? Number.NaN) as number, Number)
    case 'time':
      return numberTest(
        condition,
        (record) => microsOf(record[field.column]),
        (value) => timeOf(String(value)),
      )
    case 'duration':
      return numberTest(condition, secondsOf, Number)
    case 'boolean':
      return (record) => 'value' in condition && record[field.column] === condition.value
    case 'entry': {
      const [some, test] = [someEntry[field.source], entryTest(condition, field)]
      return (record) => some(record, test)
    }
  }
}

/** Compiles a condition on a key or a value into a test of one entry. */
export function entryTest(condition: FilterCondition, { side }: Extract<FilterField, { type: 'entry' }>): EntryTest {
  const test = valueTest(condition)
  return side === 'key' ? (key) => test(key) : (_, value) => test(value)
}

/** Returns the field of a condition. */
export function fieldOf({ field = '' }: { readonly field?: string }): FilterField {
  const type = FILTER_FIELDS.get(field)
  if (!type) throw new RangeError(`Unknown filter field ${field}: parse the filter before compiling it`)
  return type
}

function columnTest(column: keyof TraceRecord, test: (text: string) => boolean): RecordTest {
  return (record) => {
    const value: unknown = record[column]
    if (typeof value === 'string') return test(value)
    return Array.isArray(value) && value.some((item) => typeof item === 'string' && test(item))
  }
}

function numberTest(
  condition: FilterCondition,
  read: (record: TraceRecord) => number,
  literal: (value: FieldValue) => number,
): RecordTest {
  if (condition.kind === 'in') {
    const numbers = new Set(condition.values.map(literal))
    return (record) => numbers.has(read(record))
  }
  if (!('value' in condition)) return () => false
  const [compare, number] = [comparisonOf(condition.kind), literal(condition.value)]
  return (record) => compare(read(record), number)
}

type FieldValue = Extract<FieldCondition, { value: unknown }>['value']

function microsOf(value: unknown): number {
  return typeof value === 'string' ? parseMicros(value) : Number.NaN
}

function secondsOf({ start_time, end_time }: TraceRecord): number {
  return end_time === null ? Number.NaN : (parseMicros(end_time) - parseMicros(start_time)) / 1e6
}

/** Searches names, errors, tags, and the keys and values of inputs and outputs. */
function searchTest(text: string): RecordTest {
  const test = valueTest({ kind: 'search', text })
  const inEntry: EntryTest = (key, value) => test(key) || (typeof value !== 'object' && test(value))
  return (record) =>
    test(record.name) ||
    test(record.error) ||
    record.tags.some(test) ||
    someEntry.input(record, inEntry) ||
    someEntry.output(record, inEntry)
}
