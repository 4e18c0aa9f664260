/** A place in a JSON value. */
export interface Slot {
  readonly parent: Record<string, unknown> | unknown[]
  readonly key: string | number
  /** Indexes of the arrays on the way. */
  readonly indexes: readonly number[]
}

/**
 * Path into a JSON value: names of fields, `[]` for every element of an array, `*` for every value of an object whose
 * fields are named by the caller. The first step is the body itself.
 */
export type JsonPath = readonly string[]

/** Objects whose keys are names of nodes of a graph. */
const keyedByNode = ['writes', 'updates']

/** Adds the paths of all values in a value. `name` is the name of the value. */
export function collectPaths(value: unknown, paths: Map<string, JsonPath>, path: JsonPath = [], name = ''): void {
  paths.set(showPath(path), path)
  if (Array.isArray(value)) for (const each of value) collectPaths(each, paths, [...path, '[]'], name)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value))
      collectPaths(each, paths, [...path, keyedByNode.includes(name) ? '*' : key], key)
  }
}

/** Writes a path: `values.messages[].id`. */
export function showPath(path: JsonPath): string {
  return path.length === 0 ? 'body' : path.join('.').replaceAll('.[]', '[]')
}

/** Returns the places at a path. */
export function slotsAt(value: unknown, path: JsonPath): readonly Slot[] {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return []
  const slots: Slot[] = []
  visit(value as Slot['parent'], step, rest, [], slots)
  return slots
}

function visit(
  parent: Slot['parent'],
  step: string,
  [next, ...rest]: JsonPath,
  indexes: readonly number[],
  slots: Slot[],
): void {
  for (const key of keysOf(parent, step)) {
    const inner = Array.isArray(parent) ? [...indexes, Number(key)] : indexes
    const value = (parent as Record<string | number, unknown>)[key]
    if (next === undefined) slots.push({ parent, key, indexes: inner })
    else if (typeof value === 'object' && value !== null) visit(value as Slot['parent'], next, rest, inner, slots)
  }
}

function keysOf(parent: Slot['parent'], step: string): readonly (string | number)[] {
  if (Array.isArray(parent)) return step === '[]' ? parent.map((_, index) => index) : []
  if (step === '*') return Object.keys(parent)
  return Object.hasOwn(parent, step) ? [step] : []
}

/** Returns the value at a place. */
export function read({ parent, key }: Slot): unknown {
  return (parent as Record<string | number, unknown>)[key]
}

/** Replaces the value at a place. */
export function write({ parent, key }: Slot, value: unknown): void {
  ;(parent as Record<string | number, unknown>)[key] = value
}
