import type { JsonObject, Nullish, SortOrder } from '../../http/fields.ts'
import { type Page, sortItems, takePage } from '../../http/page.ts'
import { json } from '../../http/response.ts'
import type { Dialect } from '../dialect.ts'

/** The order and the page of the results of a search. */
interface Results<T> extends Page {
  readonly sort_order?: Nullish<SortOrder>
  /** Without a key, results are ordered by their age. */
  readonly keyOf: ((item: T) => string | number) | undefined
  readonly present: (item: T) => JsonObject
}

/** Responds with a page of the results of a search, which are newest first. */
export function respondWithPage<T>(
  { paginationHeaders }: Dialect,
  results: readonly T[],
  { keyOf, sort_order, present, ...page }: Results<T>,
): Response {
  const items = takePage(sortItems(results, keyOf, sort_order), page)
  const headers = paginationHeaders({ offset: page.offset, count: items.length, total: results.length })
  return json(items.map(present), headers)
}

/** Selects fields of a serialized record; all of them by default. Unknown names are ignored. */
export function select(record: JsonObject, fields: Nullish<readonly string[]>): JsonObject {
  if (fields == null) return record
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))
}

/**
 * Returns the values at paths of a serialized thread; null for a missing value. A negative index counts from the end.
 *
 * @example extract({ values: { messages: ['a', 'b'] } }, { last: 'values.messages[-1]' }) // { last: 'b' }
 */
export function extract(record: JsonObject, paths: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(paths).map(([alias, path]) => [alias, at(record, path) ?? null]))
}

function at(value: unknown, path: string): unknown {
  let current = value
  for (const [, index, key] of path.matchAll(/\[(-?\d+)\]|([^.[\]]+)/g)) {
    if (index !== undefined) current = Array.isArray(current) ? current.at(Number(index)) : undefined
    else if (typeof current === 'object' && current !== null && key !== undefined && Object.hasOwn(current, key)) {
      current = Reflect.get(current, key)
    } else return undefined
  }
  return current
}
