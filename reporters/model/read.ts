import type { z } from 'zod'
import { describe, isRecord, parseReport, ReportError } from './parse.ts'
import { type Report, reportSchema } from './report.ts'
import { oneLine } from './text.ts'

/**
 * Reads a report from the text of a JSON file. Reports of version 1 are converted; `source` names the file in errors.
 *
 * @throws ReportError when the text is not JSON, is a report of an unknown version, or does not match the schema.
 */
export function readReport(text: string, source: string): Report {
  const value = parseReport(text, source)
  const result = reportSchema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  const problems = issues
    .slice(0, 3)
    .map((issue) => `at ${pathOf(issue)}: ${oneLine(issue.message, 300)}, received ${received(value, issue)}`)
  throw new ReportError(`${source} is not a valid report: ${problems.join('; ')}${more}.`)
}

function pathOf({ path }: z.core.$ZodIssue): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return oneLine(text.replace(/^\./, ''), 200) || 'the top level'
}

function received(value: unknown, { path }: z.core.$ZodIssue): string {
  let current = value
  for (const key of path) current = isRecord(current) ? current[String(key)] : undefined
  return describe(current)
}
