import { conditionTest, type RecordTest } from './conditions.ts'
import { type EntryTest, someEntry } from './entries.ts'
import type { EntryFamily } from './fields.ts'
import { entryPart } from './pairs.ts'
import type { FilterNode } from './tree.ts'

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
