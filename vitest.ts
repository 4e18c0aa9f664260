import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { BucketKind } from './fixtures/bucket/bucket.ts'
import { causes } from './reporters/causes.ts'
import { causeFacts } from './reporters/facts.ts'
import { explain } from './reporters/findings.ts'
import type { RequirementResult } from './reporters/model/report.ts'
import { oneLine, plural } from './reporters/model/text.ts'
import { isAcceptedGap, isFailedMust, isWarning } from './reporters/model/verdict.ts'
import type { Manifest } from './suites/harness/manifest.ts'

export { journalMatchers, type MockFixtures, mockFixtures } from './mock-server/adapters/vitest.ts'

/** Options of `conformanceTests`. */
export interface ConformanceTestsOptions {
  /**
   * Ids of requirements, or families such as `run.create.*`.
   * @default all requirements of the APIs of the target
   */
  readonly ids?: readonly string[]
  /**
   * Whether a test also fails if its requirement is blocked or inconclusive, or is a `SHOULD` that the target does not meet.
   * Otherwise, such a test is skipped. Accepted gaps and known failures are always skipped.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Whether to run the checks that take longest, too, as `touchstone test --thorough` does.
   * @default false
   */
  readonly thorough?: boolean
  /**
   * Repeats the random choices of an earlier run.
   * @default a random text
   */
  readonly seed?: string
  /**
   * Store for exports, as in `touchstone test --bucket`.
   * @default 'embedded'
   */
  readonly bucket?: BucketKind
}

/**
 * Registers one test per requirement in this Vitest run. The target is a URL of the deployment API, or a configuration.
 *
 * Before the first test, it runs the checks that the selected tests need, so a filter by name also reduces the number of
 * requests. A test fails with the expected and the received value and the exchange that decided the verdict. A test of a
 * requirement that is blocked or inconclusive is skipped with the reason. Requirements of unspecified behavior have no test.
 *
 * @example conformanceTests('http://127.0.0.1:2024', { ids: ['run.*'] })
 */
export function conformanceTests(target: string | URL | Manifest, options: ConformanceTestsOptions = {}): void {
  const isUrl = typeof target === 'string' || target instanceof URL
  const manifest = isUrl ? { endpoints: { open: { url: String(target) } } } : target
  // Most users of this module need only the fixtures: the suites are loaded here.
  describe(manifest.name ?? 'conformance', async () => {
    let run: Run = { results: new Map(), selected: new Set(), stale: new Map(), problems: [] }
    beforeAll(async function (): Promise<void> {
      // Vitest 5 accepts no rest parameter here.
      // biome-ignore lint/complexity/noArguments: the suite is the first or the second argument, depending on the version
      run = await runScenarios(manifest, selectedIds([...arguments]), options)
    }, 0)
    afterAll(() => {
      if (run.problems.length > 0) throw new Error(run.problems.join('\n'))
    })
    const requirements = await requirementsOf(manifest, options)
    for (const [section, members] of Map.groupBy(requirements, (requirement) => requirement.section)) {
      describe(section, () => {
        for (const { id, statement } of members)
          test(`${id}: ${statement}`, ({ skip }) => {
            const verdict = verdictOf(id, run, options)
            if (verdict?.skipped !== undefined) skip(verdict.skipped)
            if (verdict?.failure) throw verdict.failure
          })
      })
    }
  })
}

/** What the checks of the selected tests found. */
interface Run {
  readonly selected: ReadonlySet<string>
  /** Results by requirement, including requirements that are not selected and fail. */
  readonly results: ReadonlyMap<string, RequirementResult>
  /** Reason by requirement for baseline entries that pass now or have expired. */
  readonly stale: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

async function requirementsOf({ endpoints }: Manifest, { ids }: ConformanceTestsOptions) {
  const [{ catalog }, { areaOf }, { profileOf }, { selectRequirements }] = await Promise.all([
    import('./suites/catalog/catalog.ts'),
    import('./suites/catalog/requirement.ts'),
    import('./suites/harness/manifest.ts'),
    import('./suites/evaluate/selection.ts'),
  ])
  const areas = new Set(Object.values(endpoints).map((endpoint) => areaOf(profileOf(endpoint))))
  return selectRequirements(catalog, ids ? { ids } : {}).filter(
    ({ area, level }) => areas.has(area) && level !== 'UNSPECIFIED',
  )
}

/** A test or suite of Vitest. */
interface Task {
  readonly name: string
  /** `skip` for tests that a filter excludes. */
  readonly mode: string
  /** Undefined for tests. */
  readonly tasks?: readonly Task[]
}

/** Ids of the tests that Vitest will run, from the arguments of `beforeAll`. */
function selectedIds(hookArguments: readonly unknown[]): readonly string[] {
  const suite = hookArguments.find((value) => Array.isArray(Object(value).tasks))
  const testsOf = (task: Task): readonly Task[] => task.tasks?.flatMap(testsOf) ?? [task]
  const selected = testsOf(suite as Task).filter(({ mode }) => mode !== 'skip' && mode !== 'todo')
  return selected.map(({ name }) => name.slice(0, name.indexOf(':')))
}

async function runScenarios(
  declared: Manifest,
  ids: readonly string[],
  options: ConformanceTestsOptions,
): Promise<Run> {
  const [{ catalog }, { parseBaseline }, { checkDrivers }, { testTarget }, { resolveManifest, validateManifest }] =
    await Promise.all([
      import('./suites/catalog/catalog.ts'),
      import('./suites/evaluate/baseline.ts'),
      import('./suites/runner/check-drivers.ts'),
      import('./suites/runner/test-target.ts'),
      import('./suites/runner/manifest-file.ts'),
    ])
  const manifest = await resolveManifest(validateManifest(declared, 'the target'), process.env)
  await checkDrivers(manifest)
  const known = new Set(catalog.map(({ id }) => id))
  const file = manifest.baseline
  const baseline = file === undefined ? {} : parseBaseline(await readFile(file, 'utf8'), file, known)
  const hasExports = Object.values(manifest.endpoints).some((endpoint) => endpoint.export !== undefined)
  const { openBucketStore } = await import('./fixtures/bucket/open.ts')
  const bucket = hasExports ? await openBucketStore(options.bucket ?? 'embedded') : undefined
  let leftovers = 0
  try {
    const report = await testTarget(manifest, {
      selection: { ids },
      thorough: options.thorough ?? false,
      seed: options.seed ?? crypto.randomUUID(),
      baseline,
      ...(bucket && { bucket: bucket.store }),
      onLeftovers: ({ length }) => {
        leftovers = length
      },
    })
    return {
      selected: new Set(ids),
      results: new Map(report.requirements.map((result) => [result.id, result])),
      stale: new Map(report.staleBaseline.map(({ id, reason }) => [id, reason])),
      problems: [
        ...report.problems,
        ...(leftovers > 0 ? [`${plural(leftovers, 'resource')} could not be removed`] : []),
      ],
    }
  } finally {
    await bucket?.close()
  }
}

/** Why a test fails or is skipped; undefined if it passes. */
function verdictOf(
  id: string,
  { results, selected, stale }: Run,
  { strict = false }: ConformanceTestsOptions,
): { readonly failure?: ConformanceError; readonly skipped?: string } | undefined {
  const result = results.get(id)
  if (result === undefined) return { failure: new ConformanceError(`no check decided ${id}`) }
  const { verdict } = result
  const entry = stale.get(id)
  if (entry !== undefined) return { failure: new ConformanceError(`stale baseline entry: ${entry}`) }
  if (verdict === 'pass' || verdict === 'observed') return undefined
  if (isFailedMust(result) || verdict === 'error') return { failure: errorOf(result) }
  const reason = oneLine(result.reason ?? explain(result), 1000)
  const canFail = ['blocked', 'inconclusive'].includes(verdict) ? !isAcceptedGap(result) : isWarning(result)
  if (strict && canFail) return { failure: errorOf(result) }
  // No other test fails if the requirement that blocks this one has no test in this run.
  const blocker = verdict === 'blocked' && canFail ? blockerOf(result, results) : undefined
  if (blocker && !selected.has(blocker.id) && isFailedMust(blocker))
    return { failure: errorOf(blocker, `blocked by ${blocker.id}: `) }
  return { skipped: `${verdict}: ${reason}` }
}

function blockerOf(result: RequirementResult, results: Run['results']): RequirementResult | undefined {
  const [cause] = causes(result)
  return results.get(cause?.outcome.blockedBy ?? '')
}

/** The error of a test, with the values that Vitest shows as a diff. */
class ConformanceError extends Error {
  readonly expected: string | undefined
  readonly actual: string | undefined
  constructor(message: string, expected?: string, actual?: string) {
    super(message)
    this.name = 'ConformanceError'
    this.expected = expected
    this.actual = actual
    // The place where it is thrown says nothing about the target.
    this.stack = `${this.name}: ${message}`
  }
}

/** Maximum length of an exchange in a message, in characters. */
const exchangeLimit = 4000

function errorOf(result: RequirementResult, prefix = ''): ConformanceError {
  const [cause] = causes(result)
  const failure = cause?.outcome.failure
  const shown = (causeFacts(result, exchangeLimit)[0] ?? []).filter(({ label }) => ['exchange', 'curl'].includes(label))
  const reason = explain(result).replace(`${result.id}: `, '')
  const message = [oneLine(prefix + reason, 1000), ...shown.map(({ text }) => text)].join('\n\n')
  return new ConformanceError(message, failure?.expected, failure?.received)
}
