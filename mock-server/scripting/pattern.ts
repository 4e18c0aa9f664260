import { z } from 'zod'
import { strictObject } from '../http/validation.ts'
import { NotSupported, parsePattern, sizeOf, type Tree } from './pattern-tree.ts'

/** A regular expression that is searched in a text. */
export interface TextPattern {
  readonly pattern: string
  /** Any of `i`, `m`, `s` and `u`. @default '' */
  readonly flags?: string
}

/** The maximum number of characters of a pattern with all repetitions written out, which bounds the time for each character. */
const MAX_SIZE = 2000

/** The schema of a pattern. */
export const textPattern: z.ZodType<TextPattern> = strictObject({
  pattern: z
    .string()
    .describe(
      'A regular expression of JavaScript without lookaround and backreferences, which is searched in the text',
    ),
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
    if (sizeOf(parsePattern(pattern, flags)) <= MAX_SIZE) return undefined
    return `expected a regular expression with at most ${MAX_SIZE} characters when all repetitions are written out`
  } catch (error) {
    if (error instanceof NotSupported) return `expected a regular expression without ${error.message}`
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : error
    return `expected a regular expression without errors (${reason})`
  }
}

/** A state of the automaton: it reads a character, or goes on without one. */
type State =
  | { readonly reads: (character: string) => boolean; readonly next: number }
  | { readonly holds: (before: string | undefined, after: string | undefined) => boolean; readonly next: number }
  | { readonly branches: number[] }

const END = 0

/**
 * Returns a function that searches a valid pattern in a text.
 *
 * The platform's regular expressions can take exponential time. This one follows all possibilities at once, so that its time
 * is proportional to the length of the text.
 */
export function searcher({ pattern, flags = '' }: TextPattern): (text: string) => boolean {
  const states: State[] = [{ branches: [] }]
  const add = (state: State): number => states.push(state) - 1
  /** Adds the states of a tree, after which `next` follows. Returns the first one. */
  const build = (tree: Tree, next: number): number => {
    if ('reads' in tree || 'holds' in tree) return add({ ...tree, next })
    if ('sequence' in tree) return tree.sequence.reduceRight((following, item) => build(item, following), next)
    if ('choice' in tree) return add({ branches: tree.choice.map((item) => build(item, next)) })
    const { repeated, min, max } = tree
    let start = next
    if (max === Number.POSITIVE_INFINITY) {
      const branches = [next]
      start = add({ branches })
      branches.push(build(repeated, start))
    } else {
      for (let count = min; count < max; count++) start = add({ branches: [build(repeated, start), next] })
    }
    for (let count = 0; count < min; count++) start = build(repeated, start)
    return start
  }
  const start = build(parsePattern(pattern, flags), END)

  return (text) => {
    const characters = flags.includes('u') ? [...text] : text.split('')
    let current: number[] = []
    for (let position = 0; position <= characters.length; position++) {
      const character = characters[position]
      const reached = new Set<number>()
      const next: number[] = []
      const waiting = [...current, start]
      for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
        if (reached.has(index)) continue
        reached.add(index)
        const state = states[index]
        if (state === undefined) continue
        if ('branches' in state) waiting.push(...state.branches)
        else if ('holds' in state) {
          if (state.holds(characters[position - 1], character)) waiting.push(state.next)
        } else if (character !== undefined && state.reads(character)) next.push(state.next)
      }
      if (reached.has(END)) return true
      current = next
    }
    return false
  }
}
