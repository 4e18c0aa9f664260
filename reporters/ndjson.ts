import { inOrder, type Report } from './model/report.ts'
import { counts } from './model/verdict.ts'

/**
 * Renders one JSON value a line: `type: "head"` (the identity of the run), one `type: "requirement"` for each row, and
 * `type: "verdict"` with the number of rows for every verdict.
 */
export function renderNdjson(report: Report): string {
  const { verdict, staleBaseline, problems, requirements, ...head } = inOrder(report)
  const lines = [
    { type: 'head', ...head },
    ...requirements.map((row) => ({ type: 'requirement', ...row })),
    { type: 'verdict', ...verdict, counts: counts(requirements), staleBaseline, problems },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
