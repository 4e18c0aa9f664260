import { entryTest, fieldOf } from './conditions.ts'
import type { EntryTest } from './entries.ts'
import type { EntryFamily } from './fields.ts'
import type { FilterNode } from './tree.ts'

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
