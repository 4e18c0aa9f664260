import { z } from 'zod'
import { didYouMean } from '../values/nearest.ts'

/**
 * Describes what is wrong with a configuration: one line for each problem, with its key, the nearest known key, and its
 * line in the text of the file.
 */
export function manifestProblems(error: z.ZodError, schema: z.ZodType, text: string | undefined): string {
  return error.issues
    .flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [problem(issue.path, messageOf(issue), text)]
      const known = keysAt(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), issue.path)
      return issue.keys.map((key) =>
        problem([...issue.path, key], `unknown key${didYouMean(key, known).replace(/^ /, '. ')}`, text),
      )
    })
    .join('\n')
}

/** The message of zod in the words of all other messages. A missing key has the value undefined. */
function messageOf({ message }: z.core.$ZodIssue): string {
  return message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '; the key is missing')
}

function problem(path: readonly PropertyKey[], message: string, text: string | undefined): string {
  const line = text === undefined ? undefined : lineOf(path, text)
  return `  ${path.map(String).join('.') || 'the configuration'}${line === undefined ? '' : ` (line ${line})`}: ${message}`
}

type Schema = z.core.JSONSchema.BaseSchema

/** The keys that an object of the configuration can have. */
function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  const inner = path.reduce<Schema>((current, key) => {
    const next = current.properties?.[String(key)] ?? current.additionalProperties
    return typeof next === 'object' ? next : {}
  }, schema)
  return Object.keys(inner.properties ?? {})
}

/** The line of the last key of a path that the text contains, searched from one key to the next. */
function lineOf(path: readonly PropertyKey[], text: string): number | undefined {
  let from = 0
  let line: number | undefined
  for (const key of path) {
    const name = String(key).replace(/[^\w]/g, String.raw`\$&`)
    const match = new RegExp(`(?<![\\w-])["']?${name}["']?\\s*:`).exec(text.slice(from))
    if (match === null) return line
    from += match.index
    line = text.slice(0, from).split('\n').length
    from += match[0].length
  }
  return line
}
