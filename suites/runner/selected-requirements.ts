import { appliesTo, catalog } from '../catalog/catalog.ts'
import type { Profile, Requirement } from '../catalog/requirement.ts'
import { inShard, type Selection, selectRequirements } from '../evaluate/selection.ts'
import { scenarios } from '../scenarios/index.ts'

/**
 * Returns the selected requirements, restricted to a shard. A shard takes scenarios with all their requirements; the first
 * shard also takes requirements without a scenario.
 */
export function selectedRequirements(selection: Selection): readonly Requirement[] {
  const requirements = selectRequirements(catalog, selection)
  const { shard } = selection
  if (!shard) return requirements
  const inThisShard = new Set(inShard(scenarios, shard).flatMap((scenario): readonly string[] => scenario.exercises))
  const withScenario = new Set(scenarios.flatMap((scenario): readonly string[] => scenario.exercises))
  return requirements.filter(({ id }) => inThisShard.has(id) || (shard.index === 1 && !withScenario.has(id)))
}

/** Returns the selected requirements that scenarios test on endpoints of these profiles; on any endpoint without profiles. */
export function testedRequirements(
  selection: Selection,
  profiles: readonly Profile[] | undefined,
): readonly Requirement[] {
  return selectedRequirements(selection).filter(
    (requirement) =>
      requirement.excluded === undefined &&
      (profiles === undefined || profiles.some((profile) => appliesTo(requirement, profile))),
  )
}
