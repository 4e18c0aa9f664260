import type { Level, Report, ReportEndpoint, RequirementResult, Verdict } from './model/report.ts'
import { oneLine } from './model/text.ts'
import { counts, verdictOrder } from './model/verdict.ts'

/** All levels, strictest first. */
export const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED']

/** A table of text cells: `head` has the column names, and the last of `lines` has the totals. */
export interface SummaryTable {
  head: string[]
  lines: string[][]
}

/** Counts requirements by area and level. Only verdicts that occur have a column. */
export function summaryTable(requirements: readonly RequirementResult[]): SummaryTable {
  const totals = counts(requirements)
  const columns = verdictOrder.filter((verdict) => totals[verdict] > 0)
  const lines: string[][] = []
  for (const area of new Set(requirements.map((requirement) => requirement.area))) {
    for (const level of levels) {
      const group = requirements.filter((requirement) => requirement.area === area && requirement.level === level)
      if (group.length > 0) lines.push([oneLine(area, 80), level, ...cells(group, columns)])
    }
  }
  return { head: ['area', 'level', ...columns, 'all'], lines: [...lines, ['all', '', ...cells(requirements, columns)]] }
}

function cells(requirements: readonly RequirementResult[], columns: readonly Verdict[]): string[] {
  const numbers = counts(requirements)
  return [...columns.map((verdict) => String(numbers[verdict])), String(requirements.length)]
}

/** The endpoints to show at the top of a report. An endpoint that had another port in each shard is shown once. */
export function shownEndpoints({ target }: Report): ReportEndpoint[] {
  const shown = new Map<string, ReportEndpoint>()
  for (const endpoint of target.endpoints) {
    const key = JSON.stringify([endpoint.name, withoutPort(endpoint.url)])
    if (!shown.has(key)) shown.set(key, endpoint)
  }
  return [...shown.values()]
}

function withoutPort(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.port = ''
  return url.href
}
