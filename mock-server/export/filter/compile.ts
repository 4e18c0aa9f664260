import { ApiError } from '../../http/errors.ts'
import type { TraceRecord } from '../traces/record.ts'
import { conditionTest, entryTest, fieldOf, type RecordTest } from './conditions.ts'
import { type EntrySource, type EntryTest, someEntry } from './fields.ts'
import { parseFilter } from './parse.ts'
import { FilterError, type FilterNode } from './tree.ts'

/** Compiles the filter of a request into a test of records. Throws ApiError with the position of a syntax error. */
export function compileFilterText(text: string): (record: TraceRecord) => boolean {
  try {
    return compileFilter(parseFilter(text))
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const { position, expected, received } = error
    throw new ApiError(
      'invalid-body',
      `Field "filter": position ${position}: expected ${expected}, received ${received}`,
    )
  }
}

/**
 * Compiles a filter into a test of records.
 *
 * Conditions on a key and on a value in the same `and` apply to the same entry of an object.
 *
 * @example
 * const test = compileFilter(parseFilter('and(eq(metadata_key, "env"), eq(metadata_value, "test"))'))
 * // true for the metadata { env: 'test' }, false for { env: 'x', y: 'test' }
 */
export function compileFilter(node: FilterNode): RecordTest {
  switch (node.kind) {
    case 'and':
      return conjunction(node.parts)
    case 'or': {
      const tests = node.parts.map(compileFilter)
      return (record) => tests.some((test) => test(record))
    }
    case 'not': {
      const test = compileFilter(node.part)
      return (record) => !test(record)
    }
    default:
      return conditionTest(node)
  }
}

function conjunction(parts: readonly FilterNode[]): RecordTest {
  const entries = parts.map(entryPart)
  const sourcesWithKey = new Set(entries.filter((entry) => entry?.side === 'key').map((entry) => entry?.source))
  const sameEntryTests = new Map<EntrySource, EntryTest[]>()
  const tests: RecordTest[] = []
  for (const [index, part] of parts.entries()) {
    const entry = entries[index]
    if (entry && sourcesWithKey.has(entry.source))
      sameEntryTests.set(entry.source, [...(sameEntryTests.get(entry.source) ?? []), entry.test])
    else tests.push(compileFilter(part))
  }
  // Last, because they are the slowest.
  for (const [source, entryTests] of sameEntryTests) {
    const all: EntryTest = (key, value) => entryTests.every((test) => test(key, value))
    tests.push((record) => someEntry[source](record, all))
  }
  return (record) => tests.every((test) => test(record))
}

/** A part of an `and` that tests one entry of an object. */
interface EntryPart {
  readonly source: EntrySource
  readonly side: 'key' | 'value'
  readonly test: EntryTest
}

/**
 * Returns a test of one entry for a condition on a key or a value, or for an `or` of conditions on values; undefined for
 * any other part. `neq` of a key means that no entry has the key, so it is not a test of one entry.
 */
function entryPart(part: FilterNode): EntryPart | undefined {
  if (part.kind === 'or') return alternatives(part.parts.map(entryPart))
  if (part.kind === 'and' || part.kind === 'not' || part.field === undefined) return undefined
  const field = fieldOf(part)
  if (field.type !== 'entry') return undefined
  const { source, side } = field
  if (part.kind !== 'neq') return { source, side, test: entryTest(part, field) }
  if (side === 'key') return undefined
  const equals = entryTest({ ...part, kind: 'eq' }, field)
  return { source, side, test: (key, value) => !equals(key, value) }
}

function alternatives(parts: readonly (EntryPart | undefined)[]): EntryPart | undefined {
  const [first] = parts
  if (!first) return undefined
  const { source } = first
  const tests: EntryTest[] = []
  for (const part of parts) {
    if (part?.side !== 'value' || part.source !== source) return undefined
    tests.push(part.test)
  }
  return { source, side: 'value', test: (key, value) => tests.some((test) => test(key, value)) }
}
