import { createHash } from 'node:crypto'
import type { Level } from '../../reporters/model/report.ts'
import type { RequirementId } from './generated/ids.ts'
import { areaOf, type Profile, type Requirement } from './requirement.ts'
import { sections } from './sections.ts'

/** All requirements, in the order of the specification. */
export const catalog: readonly Requirement[] = sections

const byId: ReadonlyMap<string, Requirement> = new Map(catalog.map((entry) => [entry.id, entry]))

/** Whether the catalog contains a requirement: a trace of an earlier version may name retired ones. */
export function isRequirement(id: string): id is RequirementId {
  return byId.has(id)
}

/** Returns the requirement with this id. */
export function requirement(id: RequirementId): Requirement {
  const entry = byId.get(id)
  if (!entry) throw new Error(`expected a requirement id of the catalog, received "${id}"; run "npm run generate"`)
  return entry
}

/** Returns the level of the requirement with this id. */
export function levelOf(id: RequirementId): Level {
  return requirement(id).level
}

/** Whether the requirement with this id applies to endpoints of a profile. */
export function applies(id: RequirementId, profile: Profile): boolean {
  return appliesTo(requirement(id), profile)
}

/** Whether a requirement applies to endpoints of a profile. */
export function appliesTo({ area, profile: wanted }: Requirement, profile: Profile): boolean {
  return area === areaOf(profile) && (wanted === undefined || wanted === profile)
}

/** SHA-256 of the requirement catalog: reports with the same hash were made with the same requirements. */
export function catalogHash(): string {
  return createHash('sha256').update(JSON.stringify(catalog)).digest('hex')
}
