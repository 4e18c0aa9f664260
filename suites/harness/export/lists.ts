import { isObject } from '../../requirements/facts.ts'

/** The elements of a list: the body itself, or the one array in it. Undefined where there is none, or more than one. */
export function listOf(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  if (!isObject(json)) return undefined
  const arrays = Object.values(json).filter(Array.isArray)
  return arrays.length === 1 ? arrays[0] : undefined
}
