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
export function upgradeVersion1({ $schema, ...report }: Record<string, unknown>): unknown {
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
