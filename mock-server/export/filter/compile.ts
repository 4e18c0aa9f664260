import { ApiError } from '../../http/errors.ts'
import type { TraceRecord } from '../traces/record.ts'
import { conditionTest, entryTest, fieldOf, type RecordTest } from './conditions.ts'
import { type EntryFamily, type EntryTest, someEntry } from './fields.ts'
import { parseFilter } from './parse.ts'
import type { FilterNode } from './tree.ts'
import { FilterError } from './tree.ts'

/** A test of records from the text of a filter. Throws ApiError, which says where, for a text that is none. */
export function checkedFilter(text: string): (record: TraceRecord) => boolean {
  try {
    return compileFilter(parseFilter(text))
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const { position, expected, found } = error
    throw new ApiError('invalid-body', `Field "filter": position ${position}: expected ${expected}, received ${found}`)
  }
}

/**
 * A filter as one test of records, made once an export.
 *
 * Conditions on the key and on the value of entries that stand side by side in one `and` speak of the same entry:
 * `and(eq(metadata_key, "env"), eq(metadata_value, "test"))` finds `{ env: 'test' }` and not `{ env: 'x', y: 'test' }`.
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
  const keyed = new Set(entries.filter((entry) => entry?.side === 'key').map((entry) => entry?.family))
  const pairs = new Map<EntryFamily, EntryTest[]>()
  const tests: RecordTest[] = []
  for (const [index, part] of parts.entries()) {
    const entry = entries[index]
    if (entry && keyed.has(entry.family)) pairs.set(entry.family, [...(pairs.get(entry.family) ?? []), entry.test])
    else tests.push(compileFilter(part))
  }
  // After all others, which are quicker.
  for (const [family, about] of pairs) {
    const all: EntryTest = (key, value) => about.every((test) => test(key, value))
    tests.push((record) => someEntry[family](record, all))
  }
  return (record) => tests.every((test) => test(record))
}

/** A part of an `and` that speaks of one entry of an object. */
export interface EntryPart {
  readonly family: EntryFamily
  readonly side: 'key' | 'value'
  readonly test: EntryTest
}

/**
 * A condition on a key or a value, or alternatives on values alone, as a statement about one entry; undefined for any
 * other part. That a key is *not* there says nothing of one entry, so `neq` of a key is no such statement.
 */
export function entryPart(part: FilterNode): EntryPart | undefined {
  if (part.kind === 'or') return alternatives(part.parts.map(entryPart))
  if (part.kind === 'and' || part.kind === 'not' || part.field === undefined) return undefined
  const field = fieldOf(part)
  if (field.type !== 'entry') return undefined
  const { family, side } = field
  if (part.kind !== 'neq') return { family, side, test: entryTest(part, field) }
  if (side === 'key') return undefined
  const equals = entryTest({ ...part, kind: 'eq' }, field)
  return { family, side, test: (key, value) => !equals(key, value) }
}

function alternatives(parts: readonly (EntryPart | undefined)[]): EntryPart | undefined {
  const [first] = parts
  if (!first) return undefined
  const { family } = first
  const tests: EntryTest[] = []
  for (const part of parts) {
    if (part?.side !== 'value' || part.family !== family) return undefined
    tests.push(part.test)
  }
  return { family, side: 'value', test: (key, value) => tests.some((test) => test(key, value)) }
}
