import type { Level, Report } from '../../reporters/model/report.ts'
import type { Requirement } from '../catalog/requirement.ts'
import { didYouMean } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** Which rows of the register are judged; every condition given must hold. */
export interface Selection {
  /** Ids, or beginnings of ids that end in `*`. */
  readonly ids?: readonly string[]
  readonly areas?: readonly string[]
  readonly levels?: readonly Level[]
  /** Only what did not pass in this earlier report. */
  readonly failedIn?: Report
  /** Part `index` (from 1) of `count`. */
  readonly shard?: { readonly index: number; readonly count: number }
}

/** The selected rows, in the register's order; a pattern or shard that selects nothing is an error. */
export function selectRows(register: readonly Requirement[], selection: Selection): readonly Requirement[] {
  for (const pattern of selection.ids ?? []) {
    if (register.some((row) => matches(row.id, pattern))) continue
    throw new UsageError(
      `no requirement matches "${pattern}"; "npx touchstone list" shows all ids, and "run.create.*" takes a family.${didYouMean(pattern, idsOf(register))}`,
    )
  }
  for (const area of selection.areas ?? []) {
    if (register.some((row) => row.area === area)) continue
    throw new UsageError(`--area ${area}: expected ${[...new Set(register.map((row) => row.area))].join(' or ')}.`)
  }
  const failed = selection.failedIn && notPassed(selection.failedIn)
  return register.filter(
    (row) =>
      (selection.ids === undefined || selection.ids.some((pattern) => matches(row.id, pattern))) &&
      (selection.areas === undefined || selection.areas.includes(row.area)) &&
      (selection.levels === undefined || selection.levels.includes(row.level)) &&
      (failed === undefined || failed.has(row.id)),
  )
}

/** The ids of rows. */
export function idsOf(rows: readonly Requirement[]): string[] {
  return rows.map(({ id }) => id)
}

/** Which checks of a list belong to a shard: whole checks, so that none runs twice. */
export function inShard<T>(items: readonly T[], shard: Selection['shard']): readonly T[] {
  return shard === undefined ? items : items.filter((_, position) => position % shard.count === shard.index - 1)
}

/** Parses `i/n`. */
export function parseShard(text: string): NonNullable<Selection['shard']> {
  const [index, count, more] = text.split('/').map(Number)
  if (
    more !== undefined ||
    index === undefined ||
    count === undefined ||
    !Number.isInteger(index) ||
    !Number.isInteger(count) ||
    index < 1 ||
    index > count
  ) {
    throw new UsageError(`--shard ${text}: expected i/n with 1 <= i <= n, such as 2/4.`)
  }
  return { index, count }
}

/** Describes a selection for the report; undefined where everything is judged. */
export function describeSelection(selection: Selection): string | undefined {
  const parts = [
    selection.ids && `id ${selection.ids.join(', ')}`,
    selection.areas && `area ${selection.areas.join(', ')}`,
    selection.levels && `level ${selection.levels.join(', ')}`,
    selection.failedIn && 'what did not pass before',
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join('; ') : undefined
}

/** Whether an id is named by a pattern: itself, or a beginning that ends in `*`. */
export function matches(id: string, pattern: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

function notPassed(report: Report): ReadonlySet<string> {
  const settled = new Set(['pass', 'observed', 'not-applicable', 'excluded'])
  return new Set(report.requirements.filter((row) => !settled.has(row.verdict)).map((row) => row.id))
}
