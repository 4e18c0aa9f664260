import { isObject } from '../../suites/catalog/facts.ts'

/** Applies a change to a value and to each value inside the result; `depth` counts the objects and arrays around a value. */
export function changeValues(value: unknown, change: (value: unknown, depth: number) => unknown, depth = 0): unknown {
  const changed = change(value, depth)
  const inside = (inner: unknown) => changeValues(inner, change, depth + 1)
  if (Array.isArray(changed)) return changed.map(inside)
  if (!isObject(changed)) return changed
  return Object.fromEntries(Object.entries(changed).map(([key, inner]) => [key, inside(inner)]))
}

/** Returns a timestamp that is some hours later. */
export function shifted(timestamp: unknown, hours: number): string {
  return new Date(Date.parse(String(timestamp)) + hours * 3_600_000).toISOString()
}

/** Returns a change of the keys of objects. */
export function changeKeys(change: (key: string) => string): (value: unknown) => unknown {
  return (value) => {
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [change(key), inner]))
  }
}
