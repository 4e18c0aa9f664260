import type { Level, Report, ReportEndpoint, RequirementResult, Verdict } from './model/report.ts'
import { oneLine } from './model/text.ts'
import { isAcceptedGap, verdictOrder } from './model/verdict.ts'

/** All levels, strictest first. */
export const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED']

/** A table of text cells: `head` has the column names, and the last of `lines` has the totals. */
export interface SummaryTable {
  head: string[]
  lines: string[][]
}

/**
 * Counts requirements by area and level. Only verdicts that occur have a column, and only areas of which the target can
 * be tested have lines; the totals count all. Accepted gaps have a column of their own.
 */
export function summaryTable(requirements: readonly RequirementResult[]): SummaryTable {
  const columns = tally(requirements).map(([name]) => name)
  const areas = [...Map.groupBy(requirements, ({ area }) => area)].filter(([, members]) =>
    members.some(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'excluded'),
  )
  const lines = areas.flatMap(([area, members]) =>
    levels
      .map((level) => ({ level, group: members.filter((requirement) => requirement.level === level) }))
      .filter(({ group }) => group.length > 0)
      .map(({ level, group }) => [oneLine(area, 80), level, ...cells(group, columns)]),
  )
  return { head: ['area', 'level', ...columns, 'all'], lines: [...lines, ['all', '', ...cells(requirements, columns)]] }
}

/** A verdict, or a gap that the configuration accepts. */
export type VerdictOrAccepted = Verdict | 'accepted'

/** The number of requirements with each verdict that occurs, from worst to best; accepted gaps are counted apart. */
export function tally(requirements: readonly RequirementResult[]): [VerdictOrAccepted, number][] {
  const groups = Map.groupBy(
    requirements,
    (requirement): VerdictOrAccepted => (isAcceptedGap(requirement) ? 'accepted' : requirement.verdict),
  )
  const order: VerdictOrAccepted[] = [...verdictOrder, 'accepted']
  return order.flatMap((name) => {
    const group = groups.get(name)
    return group === undefined ? [] : [[name, group.length] as [VerdictOrAccepted, number]]
  })
}

function cells(requirements: readonly RequirementResult[], columns: readonly VerdictOrAccepted[]): string[] {
  const numbers = new Map(tally(requirements))
  return [...columns.map((name) => String(numbers.get(name) ?? 0)), String(requirements.length)]
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
