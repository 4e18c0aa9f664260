import { oneLine } from './text.ts'

/** Version of the report format. `parseReport` also accepts version 1; it refuses any other version. */
export const reportVersion = 2

/** A report that cannot be read or merged; the message is a sentence for the user. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
}

/**
 * Parses the text of a JSON file as a report of version 2, without validating it any further. Reports of version 1 are
 * converted; `source` names the file in errors.
 *
 * @throws ReportError when the text is not JSON or is a report of an unknown version.
 */
export function parseReport(text: string, source: string): unknown {
  const value = parseJson(text, source)
  const version = isRecord(value) ? value['version'] : undefined
  // Other files with a version, such as package.json, have a string there.
  if (!isRecord(value) || !Number.isInteger(version)) {
    const suffix = version === undefined ? 'without "version"' : `with "version": ${describe(version)}`
    throw new ReportError(
      `${source}: expected the report.json of a run, received ${kind(value)} ${suffix}. Pass the report.json that touchstone test wrote.`,
    )
  }
  if (version !== reportVersion && version !== 1) {
    throw new ReportError(
      `${source}: expected a report of version 1 or ${reportVersion}, received version ${describe(version)}. Use the version of touchstone that wrote it.`,
    )
  }
  return version === 1 ? upgradeVersion1(value) : value
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, 200) : 'unreadable'
    throw new ReportError(`${source} is not valid JSON: ${reason}. Pass the report.json that touchstone test wrote.`)
  }
}

/** What a value is, for an error message: `an object`, `"text"`, `nothing`. */
export function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return kind(value)
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), 60)
}

function kind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return isRecord(value) ? 'an object' : describe(value)
}

/** Whether a value is an object or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const verdicts: Readonly<Record<string, string>> = {
  'could-not-run': 'inconclusive',
  'harness-error': 'error',
  warn: 'warning',
}

const keys: Readonly<Record<string, string>> = {
  registerHash: 'catalogHash',
  claims: 'profiles',
  kitRevision: 'testGraphsRevision',
  reading: 'interpretation',
  account: 'coverage',
}

/**
 * Turns a report of version 1 into version 2. Version 2 has other names for some keys and verdicts; nothing else differs.
 *
 * Sentences and messages stay as they were written. The result is not validated yet.
 */
function upgradeVersion1({ $schema, ...report }: Record<string, unknown>): unknown {
  const { suite, target, verdict, requirements } = report
  return {
    ...report,
    version: 2,
    suite: renamed(suite),
    target: isObject(target) ? { ...target, endpoints: each(target['endpoints'], renamed) } : target,
    verdict: isObject(verdict) ? { ...verdict, result: renamedVerdict(verdict['result']) } : verdict,
    requirements: each(requirements, upgradeRequirement),
  }
}

function upgradeRequirement(requirement: unknown): unknown {
  if (!isObject(requirement)) return requirement
  const { level, account, verdict, outcomes } = requirement
  return {
    ...(renamed(requirement) as object),
    level: level === 'OPEN' ? 'UNSPECIFIED' : level,
    coverage: account === 'checked' ? 'tested' : account,
    verdict: renamedVerdict(verdict),
    outcomes: each(outcomes, (outcome) =>
      isObject(outcome) ? { ...outcome, verdict: renamedVerdict(outcome['verdict']) } : outcome,
    ),
  }
}

function renamed(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [keys[key] ?? key, inner]))
}

function renamedVerdict(verdict: unknown): unknown {
  return typeof verdict === 'string' ? (verdicts[verdict] ?? verdict) : verdict
}

function each(value: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
