import { isObject } from '../catalog/facts.ts'

/** The value at a path of keys and indexes, or undefined where the path leaves the data. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (Array.isArray(here) && typeof key === 'number') here = here.at(key)
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key]
    else return undefined
  }
  return here
}

/** The string at a path, or undefined where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** The elements of the array at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as a reader of a report sees it: JSON, cut where it is long. */
export function show(value: unknown, limit = 600): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value))
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

/** What stands in place of a field that is not there: the names of those that are. */
export function describeMissing(name: string, value: unknown): string {
  return isObject(value) ? `no \`${name}\` among ${Object.keys(value).join(', ') || 'no fields'}` : show(value, 300)
}
