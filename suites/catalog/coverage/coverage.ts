import { matching } from '../patterns.ts'
import type { Requirement } from '../requirement.ts'
import { sections } from './sections.ts'
import type { Statement } from './statement.ts'

/** A statement of the specification with the requirements that belong to it. */
export interface CoveredStatement {
  readonly position: string
  readonly words: string
  readonly requirements: readonly Requirement[]
  /** Why no test of the server can decide it; unset if a requirement does. */
  readonly undecidable?: string
}

/** A section of the specification with its statements. */
export interface CoveredSection {
  readonly section: string
  readonly statements: readonly CoveredStatement[]
}

/** All sections of the specification, in its order. */
export const specification: readonly CoveredSection[] = sections.map(({ section, statements }) => ({
  section,
  statements: statements.map(cover),
}))

/** Whether a requirement decides something: it has a verdict that is more than an observation. */
export function decides({ level, excluded }: Requirement): boolean {
  return level !== 'UNSPECIFIED' && excluded === undefined
}

function cover({ position, words, requirements: patterns, undecidable }: Statement): CoveredStatement {
  const requirements = [...new Set(patterns.flatMap(matching))]
  const reason = undecidable ?? (requirements.some(decides) ? undefined : exclusions(requirements))
  return { position, words, requirements, ...(reason === undefined ? {} : { undecidable: reason }) }
}

/** Why the requirements of a statement are excluded from testing; undefined if none is. */
function exclusions(requirements: readonly Requirement[]): string | undefined {
  const reasons = new Set(requirements.flatMap(({ excluded }) => excluded ?? []))
  return reasons.size === 0 ? undefined : [...reasons].join(' ')
}
