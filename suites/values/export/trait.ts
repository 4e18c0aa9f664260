import { at, show } from '../json.ts'
import type { KnownRun } from './known-run.ts'

/** Fields whose values a service may leave out by mistake. */
const traits = ['is_root', 'status', 'run_type', 'end_time', 'error', 'total_cost', 'total_tokens'] as const

/**
 * Returns what all of several missing runs have in common, and no other run; undefined if that is nothing.
 *
 * @example traitOf(pending, others) // '`status` "pending"'
 */
export function traitOf(missing: readonly KnownRun[], others: readonly KnownRun[]): string | undefined {
  const [first, second] = missing
  const trait = traits.find((field) => {
    const value = at(first, field)
    const has = (run: KnownRun) => at(run, field) === value
    return value !== undefined && missing.every(has) && !others.some(has)
  })
  return second === undefined || trait === undefined ? undefined : `\`${trait}\` ${show(at(first, trait))}`
}
