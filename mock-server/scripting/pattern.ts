import { z } from 'zod'
import { strictObject } from '../http/validation.ts'

/** A regular expression that is searched in a text. */
export interface TextPattern {
  readonly pattern: string
  /** Any of `i`, `m`, `s` and `u`. @default '' */
  readonly flags?: string
}

/** Bounds the time of a match: at worst, it grows with the length of the text to this power. */
const MAX_REPETITIONS = 20

/** The schema of a pattern. */
export const textPattern: z.ZodType<TextPattern> = strictObject({
  pattern: z.string().describe('A regular expression of JavaScript, which is searched in the text'),
  flags: z
    .string()
    .regex(/^(?!.*(.).*\1)[imsu]*$/, { error: 'expected each of the flags i, m, s and u at most once' })
    .describe('Flags of the regular expression')
    .exactOptional(),
}).superRefine(({ pattern, flags = '' }, { addIssue }) => {
  const problem = patternProblem(pattern, flags)
  if (problem !== undefined) addIssue({ code: 'custom', path: ['pattern'], message: problem })
})

/** Returns the problem of a regular expression; undefined for one that can be used. */
function patternProblem(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : error
    return `expected a regular expression without errors (${reason})`
  }
  return repetitions(pattern) <= MAX_REPETITIONS
    ? undefined
    : `expected a regular expression that cannot take exponential time: no repeated group with repetitions or ambiguous alternatives in it, such as (a+)+ or (a|ab)*, and at most ${MAX_REPETITIONS} repetitions`
}

/** A group of a pattern while it is read. */
interface Group {
  /** The repetitions in it that can match texts of several lengths; those in repeated groups count several times. */
  count: number
  /** How each alternative starts; undefined for a start that is not one literal character. */
  readonly starts: (string | undefined)[]
  /** Whether the next atom is the first one of its alternative. */
  isStart: boolean
}

// An escape, a character class, the start of a group, its end, an alternative, a quantifier, or one character.
const TOKENS =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|\)|\||[*+?]\??|\{(\d+)(,(\d*))?\}\??|./gsu

/** Counts the repetitions of a valid pattern. Infinity: a group with a repetition in it is repeated without a limit. */
function repetitions(pattern: string): number {
  const groups: Group[] = [newGroup()]
  let atomCount = 0
  for (const [token, least, isRange, most] of pattern.matchAll(TOKENS)) {
    const group = groups.at(-1) ?? newGroup()
    if (/^[*+?]/.test(token) || least !== undefined) {
      const [min, max] = boundsOf(token, least, isRange, most)
      // The atom is already counted once.
      if (max > 1 && atomCount > 0) group.count += atomCount * (max - 1)
      if (min !== max || max === 0) group.count += 1
      atomCount = 0
    } else if (token === '|') {
      group.starts.push(undefined)
      group.isStart = true
    } else if (token === ')') {
      groups.pop()
      atomCount = group.count + (isAmbiguous(group) ? 1 : 0)
      const outer = groups.at(-1)
      if (outer !== undefined) outer.count += atomCount
    } else {
      if (group.isStart) {
        const isLiteral = token.length === 1 && !/[.^$(]/.test(token)
        group.starts[group.starts.length - 1] = isLiteral ? token.toLowerCase() : undefined
        group.isStart = false
      }
      atomCount = 0
      if (token.startsWith('(')) groups.push(newGroup())
    }
  }
  return groups[0]?.count ?? 0
}

function newGroup(): Group {
  return { count: 0, starts: [undefined], isStart: true }
}

/** Whether several alternatives of a group can match at the same place. */
function isAmbiguous({ starts }: Group): boolean {
  return starts.length > 1 && (starts.includes(undefined) || new Set(starts).size < starts.length)
}

function boundsOf(
  token: string,
  least: string | undefined,
  isRange: string | undefined,
  most: string | undefined,
): readonly [min: number, max: number] {
  if (least !== undefined) {
    const max = isRange === undefined ? least : most
    return [Number(least), max === '' ? Number.POSITIVE_INFINITY : Number(max)]
  }
  return [token.startsWith('+') ? 1 : 0, token.startsWith('?') ? 1 : Number.POSITIVE_INFINITY]
}
