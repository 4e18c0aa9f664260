import { z } from 'zod'
import type { Report, RequirementResult } from '../../reporters/model/report.ts'
import { knownFailures } from '../trace/entries.ts'
import { didYouMean } from '../values/nearest.ts'
import { UsageError } from '../values/usage-error.ts'

/** Known failures of a target, by requirement id. */
export type Baseline = z.infer<typeof knownFailures>

/**
 * Parses the text of a baseline file.
 *
 * @throws UsageError if the text is not valid or has an id that is not in `ids`
 */
export function parseBaseline(text: string, source: string, ids: ReadonlySet<string>): Baseline {
  const parsed = knownFailures.safeParse(parseJson(text, source))
  if (!parsed.success) {
    throw new UsageError(
      `${source} is not a valid baseline: ${z.prettifyError(parsed.error)}\nExpected { "<requirement id>": { "reason": "…", "link"?, "expires"?: "YYYY-MM-DD", "intermittent"?: true } }.`,
    )
  }
  const unknown = Object.keys(parsed.data).filter((id) => !ids.has(id))
  if (unknown.length > 0) {
    throw new UsageError(
      `${source}: expected ids of requirements, received ${unknown.join(', ')}.${unknown.map((id) => didYouMean(id, [...ids])).join('')} List all ids with "npx touchstone list".`,
    )
  }
  return parsed.data
}

/** Marks failures in the baseline as expected, and returns the stale entries of the baseline. */
export function applyBaseline(
  results: readonly RequirementResult[],
  baseline: Baseline,
  today: string,
): { results: RequirementResult[]; stale: Report['staleBaseline'] } {
  const stale: Report['staleBaseline'] = []
  const applied = results.map((result): RequirementResult => {
    const entry = baseline[result.id]
    if (!entry) return result
    if (entry.expires !== undefined && entry.expires < today) {
      stale.push({
        id: result.id,
        reason: `the entry expired on ${entry.expires}; remove or renew it (${entry.reason})`,
      })
      return result
    }
    if (['fail', 'flaky', 'warning', 'blocked'].includes(result.verdict)) {
      const reason = entry.link === undefined ? entry.reason : `${entry.reason} (${entry.link})`
      return { ...result, verdict: 'expected-fail', reason }
    }
    if (result.verdict === 'pass' && !entry.intermittent)
      stale.push({ id: result.id, reason: `the requirement passes now; remove the entry (${entry.reason})` })
    return result
  })
  return { results: applied, stale }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `expected JSON in ${source}, received invalid JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}
