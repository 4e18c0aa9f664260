import type { Report } from './model/report.ts'
import { counts } from './model/verdict.ts'

/** Renders the report as JSON, from which every other format can be rendered later. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

/**
 * Renders one JSON value per line: `type: "head"` with the identity of the run, `type: "requirement"` for each
 * requirement, and `type: "verdict"` with the number of requirements for every verdict.
 */
export function renderNdjson(report: Report): string {
  const { verdict, staleBaseline, problems, requirements, ...head } = report
  const lines = [
    { type: 'head', ...head },
    ...requirements.map((requirement) => ({ type: 'requirement', ...requirement })),
    { type: 'verdict', ...verdict, counts: counts(requirements), staleBaseline, problems },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
