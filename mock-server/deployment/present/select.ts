import type { JsonObject, Nullish } from '../../http/fields.ts'

/** Selects fields of a serialized record; all of them by default. Unknown names are ignored. */
export function select(shown: JsonObject, fields: Nullish<readonly string[]>): JsonObject {
  if (fields == null) return shown
  return Object.fromEntries(Object.entries(shown).filter(([field]) => fields.includes(field)))
}

/**
 * Returns the values at paths of a serialized thread; null if there is none. A negative index counts from the end.
 *
 * @example extract({ values: { messages: ['a', 'b'] } }, { last: 'values.messages[-1]' }) // { last: 'b' }
 */
export function extract(shown: JsonObject, paths: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(paths).map(([alias, path]) => [alias, at(shown, path) ?? null]))
}

function at(value: unknown, path: string): unknown {
  let found = value
  for (const [, index, key] of path.matchAll(/\[(-?\d+)\]|([^.[\]]+)/g)) {
    if (index !== undefined) found = Array.isArray(found) ? found.at(Number(index)) : undefined
    else if (typeof found === 'object' && found !== null && key !== undefined && Object.hasOwn(found, key)) {
      found = Reflect.get(found, key)
    } else return undefined
  }
  return found
}
