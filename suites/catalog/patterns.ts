import { catalog, isRequirement, requirement } from './catalog.ts'
import type { RequirementId } from './generated/ids.ts'
import type { Requirement } from './requirement.ts'

/**
 * Id of a requirement, or a pattern for several ids: at its end, `*` stands for one or more names, elsewhere for one. Both
 * `thread.fields.thread_id.*` and `thread.fields.*.type` name `thread.fields.thread_id.type`.
 */
export type RequirementPattern = RequirementId | `${string}.*${string}`

/**
 * Returns the requirements that a pattern names.
 *
 * @throws Error when there are none.
 */
export function matching(pattern: RequirementPattern): readonly Requirement[] {
  if (isRequirement(pattern)) return [requirement(pattern)]
  const form = pattern.replaceAll('.', String.raw`\.`).replace(/\*$/, '.+').replaceAll('*', '[^.]+')
  const ids = new RegExp(`^${form}$`)
  const matches = catalog.filter(({ id }) => ids.test(id))
  if (matches.length > 0) return matches
  throw new Error(
    `expected the id of a requirement or a pattern that ids match, received "${pattern}"; correct the file that names it`,
  )
}

/** Returns the ids of the requirements that some patterns name. */
export function idsMatching(patterns: readonly RequirementPattern[]): ReadonlySet<RequirementId> {
  return new Set(patterns.flatMap(matching).map(({ id }) => id as RequirementId))
}
