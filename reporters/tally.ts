import type { Level, RequirementResult, Verdict } from './model/report.ts'
import { oneLine } from './model/text.ts'
import { counts, verdictOrder } from './model/verdict.ts'

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED']

/** A table of area × level: `head` names the columns, the last of `lines` is the total. */
export interface Tally {
  head: string[]
  lines: string[][]
}

/** Counts rows by area and level; only verdicts that occur get a column. */
export function tally(rows: readonly RequirementResult[]): Tally {
  const total = counts(rows)
  const columns = verdictOrder.filter((verdict) => total[verdict] > 0)
  const lines: string[][] = []
  for (const area of [...new Set(rows.map((row) => row.area))]) {
    for (const level of levels) {
      const group = rows.filter((row) => row.area === area && row.level === level)
      if (group.length > 0) lines.push([oneLine(area, 80), level, ...numbers(group, columns)])
    }
  }
  return { head: ['area', 'level', ...columns, 'all'], lines: [...lines, ['all', '', ...numbers(rows, columns)]] }
}

function numbers(rows: readonly RequirementResult[], columns: readonly Verdict[]): string[] {
  const found = counts(rows)
  return [...columns.map((verdict) => String(found[verdict])), String(rows.length)]
}
