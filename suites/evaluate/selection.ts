import type { Level, Report } from '../../reporters/model/report.ts'
import type { Requirement } from '../catalog/requirement.ts'
import { didYouMeanPattern } from '../values/nearest.ts'
import { UsageError } from '../values/usage-error.ts'

/** Selects requirements of the catalog; a requirement is selected if it meets every condition. */
export interface Selection {
  /** Ids, or prefixes of ids that end in `*`. */
  readonly ids?: readonly string[]
  readonly areas?: readonly string[]
  readonly levels?: readonly Level[]
  /** Selects only requirements that did not pass in this earlier report. */
  readonly failedIn?: Report
  /** Part `index` (from 1) of `count`. */
  readonly shard?: { readonly index: number; readonly count: number }
}

/**
 * Returns the selected requirements in the order of the catalog.
 *
 * @throws UsageError if a pattern or area matches no requirement
 */
export function selectRequirements(catalog: readonly Requirement[], selection: Selection): readonly Requirement[] {
  for (const pattern of selection.ids ?? []) {
    if (catalog.some((requirement) => matches(requirement.id, pattern))) continue
    throw new UsageError(
      `expected a requirement id or a prefix such as "run.create.*", received "${pattern}": no requirement matches.${didYouMeanPattern(pattern, idsOf(catalog))} List all ids with "npx touchstone list".`,
    )
  }
  for (const area of selection.areas ?? []) {
    if (catalog.some((requirement) => requirement.area === area)) continue
    const areas = [...new Set(catalog.map((requirement) => requirement.area))]
    throw new UsageError(`--area: expected ${areas.join(' or ')}, received "${area}".`)
  }
  const failed = selection.failedIn && notPassed(selection.failedIn)
  return catalog.filter(
    (requirement) =>
      (selection.ids === undefined || selection.ids.some((pattern) => matches(requirement.id, pattern))) &&
      (selection.areas === undefined || selection.areas.includes(requirement.area)) &&
      (selection.levels === undefined || selection.levels.includes(requirement.level)) &&
      (failed === undefined || failed.has(requirement.id)),
  )
}

/** Returns the ids of requirements. */
export function idsOf(requirements: readonly Requirement[]): string[] {
  return requirements.map(({ id }) => id)
}

/** Returns the scenarios of a shard. A scenario is never split, so that none runs twice. */
export function inShard<T>(items: readonly T[], { index, count }: NonNullable<Selection['shard']>): readonly T[] {
  return items.filter((_, position) => position % count === index - 1)
}

/** Parses a shard such as `2/4`. */
export function parseShard(text: string): NonNullable<Selection['shard']> {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index < 1 || index > count) {
    throw new UsageError(`--shard: expected i/n with 1 <= i <= n, such as 2/4, received "${text}".`)
  }
  return { index, count }
}

/** Describes a selection for the report; undefined if all requirements are selected. */
export function describeSelection(selection: Selection): string | undefined {
  const parts = [
    selection.ids && `id ${selection.ids.join(', ')}`,
    selection.areas && `area ${selection.areas.join(', ')}`,
    selection.levels && `level ${selection.levels.join(', ')}`,
    selection.failedIn && 'requirements that did not pass in an earlier report',
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join('; ') : undefined
}

/** Whether an id equals a pattern, or starts with a pattern that ends in `*`. */
export function matches(id: string, pattern: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

/**
 * Returns the titles of the checks in which requirements did not pass in the earlier report. Such a check may be one that exercises
 * a requirement only by chance.
 */
export function failedChecks({ failedIn }: Selection, ids: readonly string[]): ReadonlySet<string> {
  const failed = failedIn?.requirements.filter(({ id }) => ids.includes(id)) ?? []
  return new Set(
    failed.flatMap(({ outcomes }) => outcomes.filter(({ verdict }) => verdict !== 'pass').map(({ check }) => check)),
  )
}

function notPassed(report: Report): ReadonlySet<string> {
  const settled = new Set(['pass', 'observed', 'not-applicable', 'excluded'])
  return new Set(
    report.requirements.filter((requirement) => !settled.has(requirement.verdict)).map((requirement) => requirement.id),
  )
}
