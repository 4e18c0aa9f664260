import { isAbout, register } from '../catalog/catalog.ts'
import type { Profile, Requirement } from '../catalog/requirement.ts'
import { checks } from '../checks.ts'
import { inShard, type Selection, selectRows } from './selection.ts'

/** The rows of the register that a run is asked for. A shard takes whole checks with all their rows; rows without a check go with the first. */
export function selectedRows(selection: Selection): readonly Requirement[] {
  const rows = selectRows(register, selection)
  const { shard } = selection
  if (!shard) return rows
  const mine = new Set(inShard(checks, shard).flatMap((check): readonly string[] => check.rows))
  const decided = new Set(checks.flatMap((check): readonly string[] => check.rows))
  return rows.filter(({ id }) => mine.has(id) || (shard.index === 1 && !decided.has(id)))
}

/** Those of them that checks decide on endpoints of these profiles; without profiles, on any. */
export function judgedRows(selection: Selection, profiles: readonly Profile[] | undefined): readonly Requirement[] {
  return selectedRows(selection).filter(
    (row) =>
      row.excluded === undefined && (profiles === undefined || profiles.some((profile) => isAbout(row, profile))),
  )
}
