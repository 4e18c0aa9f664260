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
