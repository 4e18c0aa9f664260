import { isObject } from '../../catalog/facts.ts'
import { at, show } from '../json.ts'

/** Names of arrays in an envelope that are not the list. */
const otherArrays = /^_?(links?|errors?|warnings?|messages?|notices?)$/i

/**
 * Elements of a list in a response: the body itself, or the array in it or in one of its objects. Of several arrays, the
 * one whose elements have the most fields. Undefined if there is none.
 */
export function listOf(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  const arrays = arraysIn(json)
  const named = arrays.filter(({ name }) => !otherArrays.test(name))
  const [first] = (named.length > 0 ? named : arrays).toSorted((a, b) => maxFields(b.list) - maxFields(a.list))
  return first?.list.map(withoutCursor)
}

/**
 * Keys by which elements of several pages are compared: the id of an export run, or `id`, if the elements of this page have
 * different ones, else the whole element. Other fields may change between two requests.
 */
export function keysIn(page: readonly unknown[]): readonly string[] {
  const names = Object.keys(Object(page[0])).filter((name) => /run_?id$/i.test(name))
  const ids = [...names, 'id'].map((name) => page.map((element) => at(element, name)))
  const different = ids.find((values) => !values.includes(undefined) && new Set(values).size === values.length)
  return (different ?? page).map((value) => show(value, 5000))
}

/**
 * Adds the elements of a page to those of earlier pages of a list. An element that changed in the meantime may come again:
 * its first version stays, because it shows that the list was read too early.
 */
export function addPage(items: Map<string, unknown>, page: readonly unknown[]): void {
  for (const [index, key] of keysIn(page).entries()) if (!items.has(key)) items.set(key, page[index])
}

/** Returns what an element of a list of the GraphQL style contains, `{ cursor, node }`, and any other element as it is. */
function withoutCursor(element: unknown): unknown {
  const node = at(element, 'node')
  return isObject(node) && at(element, 'id') === undefined ? node : element
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

/** Number of fields of the largest object in a list; less than that of an empty list if it contains no object. */
function maxFields(list: readonly unknown[]): number {
  if (list.length === 0) return 0
  return Math.max(...list.map((item) => (isObject(item) ? Object.keys(item).length : -1)))
}
