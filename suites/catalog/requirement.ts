import type { Level } from '../../reporters/model/report.ts'

/**
 * What an endpoint must be for a requirement to apply. Deployment API: without custom authentication, or with it; bulk
 * export API: hosted, or an installation of one's own.
 */
export type Profile = 'open' | 'custom-auth' | 'hosted' | 'self-hosted'

/** The areas of the document. */
export type Area = 'deployment' | 'export'

/** The area that an endpoint of this profile belongs to. */
export function areaOf(profile: Profile): Area {
  return profile === 'hosted' || profile === 'self-hosted' ? 'export' : 'deployment'
}

/** One atomic statement of the document, in our own words. */
export interface Requirement {
  /** Dotted name; it never changes its meaning and is never used again. */
  readonly id: string
  readonly area: Area
  /** Section of the document that states it. */
  readonly section: string
  readonly level: Level
  readonly statement: string
  /** How an ambiguous sentence is taken. */
  readonly interpretation?: string
  /** Applies only to endpoints of this kind; to all when absent. */
  readonly profile?: Profile
  /** Why nothing seen from outside can decide it. */
  readonly excluded?: string
}

type Row = Omit<Requirement, 'area' | 'section'>
type Extra = Pick<Requirement, 'interpretation' | 'profile' | 'excluded'>

/** A stated fact or rule. */
export function must(id: string, statement: string, extra: Extra = {}): Row {
  return { id, level: 'MUST', statement, ...extra }
}

/** The lenient form of a stated fact: not meeting it is a warning. */
export function should(id: string, statement: string, extra: Extra = {}): Row {
  return { id, level: 'SHOULD', statement, ...extra }
}

/** What the document introduces by "for example", "seen" or "can". */
export function may(id: string, statement: string, extra: Extra = {}): Row {
  return { id, level: 'MAY', statement, ...extra }
}

/** A point that the document leaves open: what a target does is observed. */
export function unspecified(id: string, statement: string, extra: Extra = {}): Row {
  return { id, level: 'UNSPECIFIED', statement, ...extra }
}

/** The rows of one section of the document. */
export function section(
  area: Requirement['area'],
  name: string,
  rows: readonly Row[],
  common: Extra = {},
): readonly Requirement[] {
  return rows.map((row) => ({ area, section: name, ...common, ...row }))
}
