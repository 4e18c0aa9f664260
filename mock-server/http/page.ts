/** A part of a list. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The items of a page; walks no further than the page's end. */
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

/** The items that pass a test, found as they are asked for. */
export function* only<T>(items: Iterable<T>, test: (item: T) => boolean): Generator<T> {
  for (const item of items) if (test(item)) yield item
}
