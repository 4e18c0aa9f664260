import { z } from 'zod'
import { preview } from '../runtime/preview.ts'

/** An object without other keys; what is wrong with one that has some names those that it may have. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
      return `unknown key ${unknown}; expected none but ${Object.keys(shape).join(', ')}`
    },
  })
}

/** One thing wrong with a value: where, what was expected, what came. */
export interface DescribedIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  /** The whole of it as a sentence. */
  readonly sentence: string
}

const MOST_SHOWN = 5
// What the library says of a union whose schema has no words of its own.
const NO_WORDS = 'Invalid input'

/** Words for the first few issues of a value that does not fit its schema; `whole` names the value. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole: string = 'The body',
): DescribedIssue[] {
  const plain = issues.flatMap((issue) => plainly(issue))
  return plain.slice(0, MOST_SHOWN).map((issue) => {
    // Which key is too many says what came.
    const came = issue.code === 'unrecognized_keys' ? '' : `, received ${preview(at(value, issue.path))}`
    const message = expectation(issue) + came
    const where = issue.path.length === 0 ? whole : `Field ${JSON.stringify(pathText(issue.path))}`
    return { path: issue.path, message, code: issue.code ?? 'custom', sentence: `${where}: ${message}` }
  })
}

/** An issue without unions: what is wrong by the only alternative that the value can be meant as, or what they all expect. */
function plainly(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.message !== NO_WORDS) return [issue]
  const expected = issue.errors.map((inner) =>
    inner.find(({ path, code }) => path.length === 0 && code === 'invalid_type'),
  )
  const [meant, other] = issue.errors.filter((_, index) => expected[index] === undefined)
  if (meant !== undefined && other === undefined) {
    return meant.flatMap((inner) => plainly({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  const kinds = expected.flatMap((inner) => (inner?.code === 'invalid_type' ? [inner.expected] : []))
  return meant === undefined ? [{ ...issue, message: `expected ${[...new Set(kinds)].join(' or ')}` }] : [issue]
}

/** The library's words without its preamble and without its own account of what came. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^(?:Invalid input|Invalid option): /, '').replace(/, received .*$/s, '')
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}

/** What stands at a path of a value. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined,
    value,
  )
}
