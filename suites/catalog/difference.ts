import { isDeepStrictEqual } from 'node:util'
import { isObject } from './facts.ts'

/** Two values of one place within JSON values. */
export interface Difference {
  /** Names and indexes, for example `messages[1].content`; empty for the whole value. */
  readonly path: string
  readonly received: unknown
  readonly expected: unknown
}

/**
 * Returns the first place at which JSON values differ, as deep as possible.
 *
 * @param isEqual - when values of one place are the same
 *
 * @example
 * firstDifference({ a: [1, 2] }, { a: [1, 3] }) // { path: 'a[1]', received: 2, expected: 3 }
 */
export function firstDifference(
  received: unknown,
  expected: unknown,
  isEqual: (received: unknown, expected: unknown) => boolean = isDeepStrictEqual,
  path = '',
): Difference {
  const areLists = Array.isArray(received) && Array.isArray(expected)
  if (areLists || (isObject(received) && isObject(expected))) {
    const [one, other] = [new Map(Object.entries(received)), new Map(Object.entries(expected))]
    for (const key of new Set([...other.keys(), ...one.keys()])) {
      if (isEqual(one.get(key), other.get(key))) continue
      const name = /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`
      const step = areLists ? `[${key}]` : name
      return firstDifference(one.get(key), other.get(key), isEqual, `${path}${step}`)
    }
  }
  return { path, received, expected }
}
