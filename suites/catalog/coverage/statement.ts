import type { RequirementPattern } from '../patterns.ts'

/** One fact or rule of the specification: a sentence, a part of a sentence, or a table cell. */
export interface Statement {
  /** Place within the section, such as `paragraph 1, sentence 2a` or `status, notes`; no other statement of the section has it. */
  readonly position: string
  /** The statement in our own words, as Markdown. */
  readonly words: string
  readonly requirements: readonly RequirementPattern[]
  /** Why no response, event or file can test the statement; unset if the requirements test it or give the reason. */
  readonly undecidable?: string
}

/** The statements of one section of the specification, in its order. */
export interface SectionCoverage {
  /** Heading of the section, with parent headings separated by ` / `. */
  readonly section: string
  readonly statements: readonly Statement[]
}

/**
 * Declares a statement with the requirements that test it. If all of them are excluded from testing, they give the reason.
 *
 * @example
 * stated('status, notes', 'A new thread is `idle`.', 'thread.fields.status.default')
 */
export function stated(position: string, words: string, ...requirements: readonly RequirementPattern[]): Statement {
  return { position, words, requirements }
}

/**
 * Declares a point that the specification leaves open, with the requirements that record what a server does there.
 *
 * @example
 * leftOpen('status, notes b', 'Other values.', 'thread.status.other-values')
 */
export function leftOpen(position: string, words: string, ...requirements: readonly RequirementPattern[]): Statement {
  return { position, words, requirements, undecidable: 'The specification leaves this open.' }
}

/**
 * Declares a statement that no test of the server can decide.
 *
 * @example
 * undecidable('item 8', 'Some organizations use another base address.', 'The address is part of the configuration of a run.')
 */
export function undecidable(position: string, words: string, reason: string): Statement {
  return { position, words, requirements: [], undecidable: reason }
}

/**
 * Returns the statements of one section of the specification.
 *
 * @example
 * coverage('Limits', [stated('row 4', 'The number of concurrent exports is limited.', 'export.limits.concurrent')])
 */
export function coverage(section: string, statements: readonly Statement[]): SectionCoverage {
  return { section, statements }
}
