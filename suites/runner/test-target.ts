import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import type { Report } from '../../reporters/model/report.ts'
import { packageVersion } from '../../reporters/model/version.ts'
import { catalog, catalogHash } from '../catalog/catalog.ts'
import type { Baseline } from '../evaluate/baseline.ts'
import { createEvaluation } from '../evaluate/evaluation.ts'
import { createReport } from '../evaluate/report.ts'
import { describeSelection, failedChecks, idsOf, matches, type Selection } from '../evaluate/selection.ts'
import { Inconclusive } from '../harness/errors.ts'
import { type Manifest, profileOf } from '../harness/manifest.ts'
import { thoroughSituations } from '../scenarios/deployment/thorough.ts'
import { thoroughScenarios } from '../scenarios/index.ts'
import type { TraceEntry } from '../trace/entries.ts'
import { createTrace, type RunDescription } from '../trace/trace.ts'
import { didYouMeanPattern } from '../values/nearest.ts'
import { UsageError } from '../values/usage-error.ts'
import { type InterimReports, startInterimReports } from './interim-reports.ts'
import { type PreflightListeners, preflight } from './preflight.ts'
import { plannedRuns, type RunOptions, runAsGuest } from './run-as-guest.ts'
import { runsOn } from './run-scenarios.ts'
import { selectedRequirements } from './selected-requirements.ts'

/** Options of `testTarget`. */
export interface TestTargetOptions extends RunOptions, PreflightListeners {
  readonly selection?: Selection
  /** @default 1 */
  readonly repeat?: number
  /** Whether to run the scenarios that take longest, too. @default false */
  readonly thorough?: boolean
  /** Determines the random choices of scenarios. */
  readonly seed: string
  readonly baseline?: Baseline
  /** The store for the files of exports. Requirements that need one are inconclusive without it. */
  readonly bucket?: BucketStore
  /** Called with the number of scenario runs before the first one. */
  readonly onStart?: (total: number) => void
  /** Reports while the test run goes on. @default none */
  readonly interim?: InterimReports
  /** Called with each entry of the trace when it happens. */
  readonly onTrace?: (entry: TraceEntry) => void
}

/**
 * Tests a target: preflight, the scenarios, the report.
 *
 * @example
 * const report = await testTarget({ endpoints: { open: { url: 'http://127.0.0.1:2024' } } }, { seed: '1' })
 */
export async function testTarget(manifest: Manifest, options: TestTargetOptions): Promise<Report> {
  checkAccepted(manifest)
  const trace = createTrace(describeRun(manifest, options))
  const evaluation = createEvaluation()
  trace.follow(evaluation.add)
  if (options.onTrace) trace.follow(options.onTrace)
  const ready = await preflight(manifest, options.seed, options).catch(notReady)
  const target = {
    ...ready,
    ...(options.bucket && { bucket: options.bucket }),
    ...(options.started && { started: options.started.byEndpoint }),
  }
  const { selection = {}, seed, repeat = 1, thorough = false } = options
  const requirements = idsOf(selectedRequirements(selection))
  const checks = failedChecks(selection, requirements)
  const job = { manifest: target, requirements, checks, seed, repeat, thorough }
  options.onStart?.(plannedRuns(job))
  const stopInterim = options.interim && startInterimReports(evaluation, options.interim)
  await runAsGuest(job, trace, options).finally(stopInterim)
  return createReport(evaluation)
}

/** Returns what the trace says of the test run before it starts. */
function describeRun({ name, version, endpoints, accept = {} }: Manifest, options: TestTargetOptions): RunDescription {
  const { selection = {}, seed, repeat = 1, thorough = false, baseline = {} } = options
  const described = describeSelection(selection)
  const { shard } = selection
  const isWhole = described === undefined && shard === undefined
  const requirements = idsOf(selectedRequirements(selection))
  const [first] = Object.values(endpoints)
  return {
    suite: { version: packageVersion, catalogHash: catalogHash(), seed },
    target: {
      name: name ?? (first ? new URL(first.url).host : 'target'),
      ...(version === undefined ? {} : { version }),
    },
    repeat,
    ...(isWhole ? {} : { requirements }),
    ...(!thorough && hasThoroughScenarios(endpoints, requirements) && { notRun: withoutThorough }),
    ...(described === undefined ? {} : { selection: described }),
    ...(shard && { shard: `${shard.index}/${shard.count}` }),
    accept,
    baseline,
  }
}

const withoutThorough = `Not run without --thorough: ${thoroughSituations}`

/** Whether thorough scenarios exercise some of several requirements on a target. */
function hasThoroughScenarios(endpoints: Manifest['endpoints'], requirements: readonly string[]): boolean {
  const profiles = Object.values(endpoints).map(profileOf)
  return thoroughScenarios.some(
    (scenario) =>
      scenario.exercises.some((id) => requirements.includes(id)) &&
      profiles.some((profile) => runsOn(scenario, { profile })),
  )
}

/** Reports a target that could not be set up as a usage error. */
function notReady(error: unknown): never {
  throw error instanceof Inconclusive ? new UsageError(`${error.message}. To fix it, ${error.unlock}.`) : error
}

/** Rejects an accepted gap whose id matches no requirement: it is a typo. */
function checkAccepted({ accept = {} }: Manifest): void {
  const unknown = Object.keys(accept).filter((key) => !catalog.some(({ id }) => matches(id, key)))
  if (unknown.length === 0) return
  throw new UsageError(
    `accept: expected ids of requirements, received ${unknown.join(', ')}: no requirement matches.${unknown.map((key) => didYouMeanPattern(key, idsOf(catalog))).join('')} List all ids with "npx touchstone list".`,
  )
}
