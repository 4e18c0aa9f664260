import { z } from 'zod'
import { isObject } from '../http/fields.ts'
import { searcher, type TextPattern, textPattern } from './pattern.ts'
import { ifNoObject } from './schema.ts'

/** A field of a value that is not the expected one. */
export interface Mismatch {
  /** The path of the field, such as `metadata.topic`; empty for the value itself. */
  readonly field: string
  readonly expected: unknown
  /** Undefined if the field is absent. */
  readonly received: unknown
}

/** The schema of an expected text. */
export const expectedText: z.ZodType<string | TextPattern> = z
  .union([z.string(), textPattern], ifNoObject('expected a text, or an object with "pattern"'))
  .describe('The whole text, or a pattern that is searched in it')

/** Returns a test of texts: equal to this text, or with a match of this pattern. Without an expected text, all pass. */
export function textMatcher(expected: string | TextPattern | undefined): (text: string) => boolean {
  if (expected === undefined) return () => true
  if (typeof expected === 'string') return (text) => text === expected
  return searcher(expected)
}

/** Whether a value is a matcher of a test runner, such as `expect.any(String)`. */
export function isMatcher(value: unknown): value is { asymmetricMatch(value: unknown): boolean } {
  return typeof Object(value).asymmetricMatch === 'function'
}

/** Returns the fields in which a JSON value is not the expected one; objects may have more fields. */
export function mismatches(value: unknown, expected: unknown, field: string = ''): Mismatch[] {
  const inside = (keys: readonly string[], values: object): Mismatch[] =>
    keys.flatMap((key) => {
      const inner = Object.hasOwn(values, key) ? Object(values)[key] : undefined
      return mismatches(inner, Object(expected)[key], field === '' ? key : `${field}.${key}`)
    })
  if (isMatcher(expected)) return expected.asymmetricMatch(value) ? [] : [{ field, expected, received: value }]
  if (Array.isArray(expected) && Array.isArray(value) && value.length === expected.length) {
    return inside(Object.keys(expected), value)
  }
  if (isObject(expected) && isObject(value)) return inside(Object.keys(expected), value)
  return value === expected ? [] : [{ field, expected, received: value }]
}
