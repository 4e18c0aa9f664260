/**
 * Returns how many items at the start of a list have a property that no later item has.
 *
 * @example countWhile([1, 3, 3, 7], (each) => each <= 3) // 3
 */
export function countWhile<Item>(items: readonly Item[], isEarly: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isEarly(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
