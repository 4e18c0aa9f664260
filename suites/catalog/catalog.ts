import type { Level } from '../../reporters/model/report.ts'
import type { RequirementId } from './generated/ids.ts'
import { areaOf, type Profile, type Requirement } from './requirement.ts'
import { sections } from './sections.ts'

/** All rows, in the order of the document. */
export const register: readonly Requirement[] = sections

const byId: ReadonlyMap<string, Requirement> = new Map(register.map((row) => [row.id, row]))

/** The row with this id. */
export function requirement(id: RequirementId): Requirement {
  const row = byId.get(id)
  if (!row) throw new Error(`the register has no row ${id}; run "npm run generate"`)
  return row
}

/** The level of the row with this id. */
export function levelOf(id: RequirementId): Level {
  return requirement(id).level
}

/** Whether the row with this id applies to endpoints of a profile. */
export function applies(id: RequirementId, profile: Profile): boolean {
  return isAbout(requirement(id), profile)
}

/** Whether a row is about endpoints of a profile. */
export function isAbout({ area, profile: wanted }: Requirement, profile: Profile): boolean {
  return area === areaOf(profile) && (wanted === undefined || wanted === profile)
}
