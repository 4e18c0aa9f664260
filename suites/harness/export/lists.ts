import { isObject } from '../../catalog/facts.ts'

/** What stands beside the elements in an envelope. */
const besides = /^_?(links?|errors?|warnings?|messages?|notices?)$/i

/**
 * The elements of a list: the body itself, or the array in it, at most one object down; beside links and the like that
 * with the richest elements. Undefined where there is none.
 */
export function listOf(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  const arrays = arraysIn(json)
  const named = arrays.filter(({ name }) => !besides.test(name))
  const [first] = (named.length > 0 ? named : arrays).toSorted((a, b) => richness(b.list) - richness(a.list))
  return first?.list
}

interface NamedList {
  readonly name: string
  readonly list: readonly unknown[]
}

function arraysIn(value: unknown, depth = 1): readonly NamedList[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Array.isArray(inner)) return [{ name, list: inner }]
    return depth > 0 ? arraysIn(inner, depth - 1) : []
  })
}

/** How many fields the largest object in a list has. */
function richness(list: readonly unknown[]): number {
  return Math.max(0, ...list.map((one) => (isObject(one) ? Object.keys(one).length : 0)))
}
