import type { Nullish, SortOrder } from '../../http/fields.ts'

/** Items in the order of a key; without one as they come, newest first, unless that is to be turned round. */
export function sortItems<T>(
  items: readonly T[],
  keyOf: ((item: T) => string | number) | undefined,
  order: Nullish<SortOrder>,
): readonly T[] {
  if (keyOf === undefined) return order === 'asc' ? items.toReversed() : items
  const direction = order === 'asc' ? 1 : -1
  return items.toSorted((a, b) => direction * compare(keyOf(a), keyOf(b)))
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
