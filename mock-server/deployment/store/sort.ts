import type { Nullish, SortOrder } from '../../http/fields.ts'

/** Sorts items by a key. Without a key, keeps or reverses their order, which is newest first. */
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
