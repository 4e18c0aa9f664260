import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CommonContext } from './context.ts'

/** What a check found for one row. */
export interface Finding<Id extends RequirementId> {
  readonly row: Id
  readonly holds: boolean
  /** What was looked at. */
  readonly what: string
  readonly expected: string
  readonly received: unknown
  /** Rows without which this one cannot be decided: earlier findings, or rows of other checks with what is known of them. */
  readonly needs?: readonly (Id | { readonly row: RequirementId; readonly holds: boolean })[]
}

/**
 * Decides rows one after another; a row is blocked where one that it needs does not hold or was blocked itself.
 *
 * @example
 * await decideAll(context, [
 *   { row: 'run.get.answers-run', holds: answer.ok, what: 'the run', expected: 'a 2xx response', received: answer.text },
 * ])
 */
export async function decideAll<Id extends RequirementId>(
  context: Pick<CommonContext<Id>, 'decide' | 'block' | 'verify'>,
  findings: readonly Finding<Id>[],
): Promise<void> {
  const unmet = new Set<RequirementId>()
  for (const { row, holds, what, expected, received, needs = [] } of findings) {
    const missing = needs.map((need) => (typeof need === 'string' ? { row: need, holds: !unmet.has(need) } : need))
    const by = missing.find((need) => !need.holds)?.row
    if (!holds || by !== undefined) unmet.add(row)
    if (by === undefined) await context.decide(row, () => context.verify(holds, what, expected, received))
    else context.block(row, by, `cannot test ${what} ${typeof received === 'string' ? received : ''}`.trim())
  }
}
