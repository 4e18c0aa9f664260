import { z } from 'zod'
import type { Report, RequirementResult } from '../../reporters/model/report.ts'
import { didYouMean } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** One known failure of a target. */
interface BaselineEntry {
  readonly reason: string
  /** Where the deviation is tracked. */
  readonly link?: string | undefined
  /** Last day on which the entry counts, `YYYY-MM-DD`. */
  readonly expires?: string | undefined
  /** Fails now and then: passing does not make the entry stale. */
  readonly intermittent?: boolean | undefined
}

/** Known failures of a target, by row id. */
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

/** Reads a baseline file's text; an id that is none of these is an error. */
export function parseBaseline(text: string, source: string, ids: ReadonlySet<string>): Baseline {
  const parsed = baselineSchema.safeParse(parseJson(text, source))
  if (!parsed.success) {
    throw new UsageError(
      `${source} is no baseline: ${z.prettifyError(parsed.error)}\nExpected { "<row id>": { "reason": "…", "link"?, "expires"?: "YYYY-MM-DD", "intermittent"?: true } }.`,
    )
  }
  const unknown = Object.keys(parsed.data).filter((id) => !ids.has(id))
  if (unknown.length > 0) {
    throw new UsageError(
      `${source} names rows that do not exist: ${unknown.join(', ')}; "npx touchstone list" shows all ids.${unknown.map((id) => didYouMean(id, [...ids])).join('')}`,
    )
  }
  return parsed.data
}

/** Turns failures that the baseline knows into expected ones; entries that no longer hold come back as stale. */
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
      stale.push({ id: row.id, reason: `expired on ${entry.expires}: ${entry.reason}` })
      return row
    }
    if (['fail', 'flaky', 'warning', 'blocked'].includes(row.verdict)) {
      const reason = entry.link === undefined ? entry.reason : `${entry.reason} (${entry.link})`
      return { ...row, verdict: 'expected-fail', reason }
    }
    if (row.verdict === 'pass' && !entry.intermittent)
      stale.push({ id: row.id, reason: `passes now, remove the entry: ${entry.reason}` })
    return row
  })
  return { rows: applied, stale }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
