import { z } from 'zod'
import { preview } from '../runtime/preview.ts'

/** Returns the schema of an object without unknown keys. The error of an unknown key lists the known ones. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
      return `unknown key ${unknown}; expected only ${Object.keys(shape).join(', ')}`
    },
  })
}

/** A problem of a value. */
export interface DescribedIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  /** The complete message with the field. */
  readonly sentence: string
}

const MOST_SHOWN = 5
// The message of zod for a union without its own message.
const NO_MESSAGE = 'Invalid input'

/** Describes the first issues of a value that does not match its schema. `whole` names the value. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole: string = 'The body',
): DescribedIssue[] {
  const plain = issues.flatMap((issue) => plainly(issue))
  return plain.slice(0, MOST_SHOWN).map((issue) => {
    // The message already names the unknown key.
    const received = issue.code === 'unrecognized_keys' ? '' : `, received ${preview(at(value, issue.path))}`
    const message = expectation(issue) + received
    const subject = issue.path.length === 0 ? whole : `Field ${JSON.stringify(pathText(issue.path))}`
    return { path: issue.path, message, code: issue.code ?? 'custom', sentence: `${subject}: ${message}` }
  })
}

/** Returns a value that matches a schema. Throws a TypeError for any other one; `whole` names the value. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whole: string): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const issues = describeIssues(error.issues, value, whole)
  throw new TypeError(issues.map(({ sentence }) => sentence).join('; '))
}

/** Replaces the issue of a union by those of the only alternative that can apply, or by all expected types. */
function plainly(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.message !== NO_MESSAGE) return [issue]
  const expected = issue.errors.map((inner) =>
    inner.find(({ path, code }) => path.length === 0 && code === 'invalid_type'),
  )
  const [candidate, other] = issue.errors.filter((_, index) => expected[index] === undefined)
  if (candidate !== undefined && other === undefined) {
    return candidate.flatMap((inner) => plainly({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  const kinds = expected.flatMap((inner) => (inner?.code === 'invalid_type' ? [inner.expected] : []))
  return candidate === undefined ? [{ ...issue, message: `expected ${[...new Set(kinds)].join(' or ')}` }] : [issue]
}

/** Returns zod's message without its prefix and its description of the received value. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^(?:Invalid input|Invalid option): /, '').replace(/, received .*$/s, '')
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}

/** Returns the value at a path. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (current, key) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, key)
        ? Reflect.get(current, key)
        : undefined,
    value,
  )
}
