import { z } from 'zod'
import type { Report, RequirementResult } from '../../reporters/model/report.ts'
import { didYouMean } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** Known failure of a target. */
interface BaselineEntry {
  readonly reason: string
  /** URL of the issue that tracks it. */
  readonly link?: string | undefined
  /** Last day on which the entry is valid, `YYYY-MM-DD`. */
  readonly expires?: string | undefined
  /** Whether the requirement passes at times: a pass then does not make the entry stale. */
  readonly intermittent?: boolean | undefined
}

/** Known failures of a target, by requirement id. */
export type Baseline = Readonly<Record<string, BaselineEntry>>

const baselineSchema: z.ZodType<Baseline> = z.record(
  z.string(),
  z.strictObject({
    reason: z.string().min(1),
    link: z.string().optional(),
    expires: z.iso.date().optional(),
    intermittent: z.boolean().optional(),
  }),
)

/**
 * Parses the text of a baseline file.
 *
 * @throws UsageError if the text is not valid or has an id that is not in `ids`
 */
export function parseBaseline(text: string, source: string, ids: ReadonlySet<string>): Baseline {
  const parsed = baselineSchema.safeParse(parseJson(text, source))
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
  rows: readonly RequirementResult[],
  baseline: Baseline,
  today: string,
): { rows: RequirementResult[]; stale: Report['staleBaseline'] } {
  const stale: Report['staleBaseline'] = []
  const applied = rows.map((row): RequirementResult => {
    const entry = baseline[row.id]
    if (!entry) return row
    if (entry.expires !== undefined && entry.expires < today) {
      stale.push({ id: row.id, reason: `the entry expired on ${entry.expires}; remove or renew it (${entry.reason})` })
      return row
    }
    if (['fail', 'flaky', 'warning', 'blocked'].includes(row.verdict)) {
      const reason = entry.link === undefined ? entry.reason : `${entry.reason} (${entry.link})`
      return { ...row, verdict: 'expected-fail', reason }
    }
    if (row.verdict === 'pass' && !entry.intermittent)
      stale.push({ id: row.id, reason: `the requirement passes now; remove the entry (${entry.reason})` })
    return row
  })
  return { rows: applied, stale }
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
