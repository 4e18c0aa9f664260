import type { Nullish, SortOrder } from './fields.ts'

/** A page of a list. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Returns the items of a page. Iterates no further than the end of the page. */
export function takePage<T>(items: Iterable<T>, { limit, offset }: Page): T[] {
  const page: T[] = []
  let index = 0
  for (const item of items) {
    if (index >= offset + limit) break
    if (index >= offset) page.push(item)
    index++
  }
  return page
}

/** Yields the items that pass a test. */
export function* only<T>(items: Iterable<T>, test: (item: T) => boolean): Generator<T> {
  for (const item of items) if (test(item)) yield item
}

/** Sorts items, which are newest first, by a key; equal keys by age. Without a key, by age alone. */
export function sortItems<T>(
  items: readonly T[],
  keyOf: ((item: T) => string | number) | undefined,
  order: Nullish<SortOrder>,
): readonly T[] {
  const byAge = order === 'asc' ? items.toReversed() : items
  if (keyOf === undefined) return byAge
  const direction = order === 'asc' ? 1 : -1
  return byAge.toSorted((a, b) => direction * compare(keyOf(a), keyOf(b)))
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
