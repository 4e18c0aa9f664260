import type { AuthFilter } from './handlers.ts'

/**
 * Whether metadata matches all keys of a filter.
 *
 * @example matches({ owner: 'alice', tags: { $contains: ['a', 'b'] } }, { owner: 'alice', tags: ['b', 'c', 'a'] }) // true
 */
export function matches(filter: AuthFilter, metadata: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
    return isMet(condition, value)
  })
}

/** Describes the first invalid condition of a filter, if there is one. */
export function filterProblem(filter: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, condition] of Object.entries(filter)) {
    if (condition === undefined) return `the key ${JSON.stringify(key)} has no value`
    if (!hasOperators(condition)) continue
    const unknown = Object.keys(condition).find((operator) => operator !== '$eq' && operator !== '$contains')
    if (unknown !== undefined)
      return `the key ${JSON.stringify(key)} uses ${unknown}; only $eq and $contains are supported`
  }
  return undefined
}

function isMet(condition: unknown, value: unknown): boolean {
  if (!hasOperators(condition)) return same(condition, value)
  if (Object.hasOwn(condition, '$eq') && !same(condition['$eq'], value)) return false
  if (Object.hasOwn(condition, '$contains')) {
    const operand = condition['$contains']
    if (!Array.isArray(value)) return false
    const items: unknown[] = Array.isArray(operand) ? operand : [operand]
    return items.every((item) => value.some((element) => same(item, element)))
  }
  return true
}

/** Whether a condition has operators: an object whose keys start with `$`. */
function hasOperators(condition: unknown): condition is Record<string, unknown> {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return false
  const keys = Object.keys(condition)
  return keys.length > 0 && keys.every((key) => key.startsWith('$'))
}

/** Whether two JSON values are equal, regardless of the order of keys. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  return (
    left.length === Object.keys(b).length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && same(value, Reflect.get(b, key)))
  )
}
