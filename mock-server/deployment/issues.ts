import type { z } from 'zod'

/** One thing wrong with a value: where, what was expected, what came. */
export interface DescribedIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  /** The whole of it as a sentence. */
  readonly sentence: string
}

const MOST_SHOWN = 5
const LONGEST_PREVIEW = 80

/** Words for the first few issues of a value that does not fit its schema; `whole` names the value. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole: string = 'The body',
): DescribedIssue[] {
  return issues.slice(0, MOST_SHOWN).map((issue) => {
    const message = `${expectation(issue)}, received ${received(value, issue.path)}`
    const where = issue.path.length === 0 ? whole : `Field ${JSON.stringify(pathText(issue.path))}`
    return { path: issue.path, message, code: issue.code ?? 'custom', sentence: `${where}: ${message}` }
  })
}

/** The library's words without its preamble and without its own account of what came. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^(?:Invalid input|Invalid option): /, '').replace(/, received .*$/s, '')
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}

function received(value: unknown, path: readonly PropertyKey[]): string {
  let at: unknown = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return 'nothing'
    at = Reflect.get(at, key)
  }
  if (at === undefined) return 'nothing'
  if (Array.isArray(at)) return `an array of ${at.length}`
  if (typeof at === 'object' && at !== null) return 'an object'
  const text = JSON.stringify(at)
  return text.length > LONGEST_PREVIEW ? `${text.slice(0, LONGEST_PREVIEW)}…` : text
}
