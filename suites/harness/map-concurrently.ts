/** Does something with every item, so many at a time; the results come in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  most: number,
  each: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await each(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}
