import type { z } from 'zod'
import { type Report, reportVersion } from './report.ts'
import { ReportError } from './report-error.ts'
import { reportSchema } from './schema.ts'
import { oneLine } from './text.ts'

/**
 * Reads a report from the text of a JSON file; `source` names it in errors.
 *
 * @throws ReportError where the text is not JSON, is a report of another version, or breaks the schema.
 */
export function readReport(text: string, source: string): Report {
  const value = parse(text, source)
  const version = isRecord(value) ? value['version'] : undefined
  // Versions of reports are whole numbers; other files have texts there.
  if (!Number.isInteger(version)) {
    const found = version === undefined ? 'without "version"' : `with "version": ${shown(version)}`
    throw new ReportError(
      `${source} is no touchstone report: it is ${kind(value)} ${found}; expected the report.json of a run.`,
    )
  }
  if (version !== reportVersion) {
    throw new ReportError(
      `${source} is a report of version ${shown(version)}, expected ${reportVersion}: render it with the touchstone that wrote it.`,
    )
  }
  const result = reportSchema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  const told = issues
    .slice(0, 3)
    .map((issue) => `at ${path(issue)}: ${oneLine(issue.message, 300)}, got ${got(value, issue)}`)
  throw new ReportError(`${source} is no valid report: ${told.join('; ')}${more}.`)
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = error instanceof Error ? oneLine(error.message, 200) : 'unreadable'
    throw new ReportError(`${source} is not JSON: ${why}; expected the report.json of a run.`)
  }
}

function path({ path }: z.core.$ZodIssue): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return oneLine(text.replace(/^\./, ''), 200) || 'the top'
}

function got(value: unknown, { path }: z.core.$ZodIssue): string {
  let found = value
  for (const key of path) found = isRecord(found) ? found[String(key)] : undefined
  return shown(found)
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return kind(value)
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), 60)
}

function kind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return isRecord(value) ? 'an object' : shown(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
