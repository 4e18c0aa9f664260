import { createHash } from 'node:crypto'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { type Report, type ReportEndpoint, reportVersion } from '../../reporters/model/report.ts'
import { summarize } from '../../reporters/model/verdict.ts'
import { applies, catalog } from '../catalog/catalog.ts'
import type { Profile, Requirement } from '../catalog/requirement.ts'
import { checks } from '../checks.ts'
import { Inconclusive } from '../harness/errors.ts'
import type { Lasting } from '../harness/export/lasting.ts'
import { type Manifest, profileOf } from '../harness/manifest.ts'
import { createRedactor, redactHeaders } from '../harness/redact.ts'
import type { Decision } from '../harness/run-check.ts'
import { openSession } from '../harness/session.ts'
import { type TraceEntry, traceVersion } from '../trace/entries.ts'
import { aggregate } from './aggregate.ts'
import { applyBaseline, type Baseline } from './baseline.ts'
import { didYouMean } from './nearest.ts'
import { suiteVersion } from './package-root.ts'
import { preflight } from './preflight.ts'
import { type Job, type LaunchedToJudge, runAsGuest } from './run-as-guest.ts'
import { selectedRequirements } from './selected-requirements.ts'
import { describeSelection, idsOf, matches, type Selection } from './selection.ts'
import type { WaitingListener } from './until-ready.ts'
import { UsageError } from './usage-error.ts'

/** How a target is judged. */
export interface JudgeOptions {
  readonly selection?: Selection
  /** @default 1 */
  readonly repeat?: number
  /** Varies what the checks send where it does not matter; the same seed sends the same. */
  readonly seed: string
  readonly baseline?: Baseline
  /** The store that exports go to; what needs one cannot run without. */
  readonly bucket?: BucketStore
  /** Told how many decisions will come. */
  readonly onStart?: (total: number) => void
  /** Told these decisions as they come; what a check finds beside its own rows comes with the report. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void
  readonly onWaiting?: WaitingListener
  /** Told what lives on by itself on the target, each time that changes; nothing at the end where all could be ended. */
  readonly onLasting?: (living: readonly Lasting[]) => void
  /** What an earlier run launched, to be judged now. */
  readonly launched?: LaunchedToJudge
  readonly signal?: AbortSignal
  /** Called with each entry of the trace when it happens. */
  readonly onTrace?: (entry: TraceEntry) => void
}

/**
 * Judges a target: preflight, the checks, the report.
 *
 * @example
 * const report = await judge({ endpoints: { open: { url: 'http://127.0.0.1:2024' } } }, { seed: '1' })
 */
export async function judge(manifest: Manifest, options: JudgeOptions): Promise<Report> {
  const startedAt = new Date()
  const selection = options.selection ?? {}
  const requested = selectedRequirements(selection)
  const repeat = options.repeat ?? 1
  checkAccepted(manifest)
  const ready = await preflight(manifest, options.seed, options.onWaiting).catch(notReady)
  const target = {
    ...ready.manifest,
    ...(options.bucket && { bucket: options.bucket }),
    ...(options.launched && { launched: options.launched.byEndpoint }),
  }
  const suite = { version: suiteVersion, catalogHash: catalogHash(), seed: options.seed }
  // Times in the trace count from here.
  options.onTrace?.({ type: 'trace', version: traceVersion, suite, startedAt: new Date().toISOString() })
  const job = { manifest: target, rows: requested.map(({ id }) => id), seed: options.seed, repeat }
  const expected = expectedDecisions(job)
  options.onStart?.(expected.size * repeat)
  const result =
    expected.size === 0
      ? { decisions: [], problems: [] }
      : await runAsGuest(job, {
          ...options,
          onDecisions: (decisions) =>
            options.onDecisions?.(decisions.filter((one) => expected.has(key(one.endpoint, one.check, one.row)))),
        })
  const profiles = Object.values(manifest.endpoints).map(profileOf)
  const all = aggregate(withAttributed(requested, result.decisions), result.decisions, profiles, manifest.accept)
  const { rows: requirements, stale } = applyBaseline(all, options.baseline ?? {}, startedAt.toISOString().slice(0, 10))
  const described = describeSelection(selection)
  const scope = {
    ...(selection.shard && { shard: `${selection.shard.index}/${selection.shard.count}` }),
    ...(described === undefined ? {} : { selection: described }),
    ...(result.interrupted === undefined ? {} : { interrupted: result.interrupted }),
  }
  return {
    version: reportVersion,
    suite: { name: 'touchstone', ...suite },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    repeat,
    ...scope,
    target: {
      name: manifest.name ?? hostOf(manifest),
      ...(manifest.version === undefined ? {} : { version: manifest.version }),
      endpoints: Object.keys(manifest.endpoints).map((name) => endpointOf(manifest, name, ready.revisions[name])),
    },
    verdict: summarize(requirements, stale, result.problems, scope),
    staleBaseline: stale,
    problems: [...result.problems],
    requirements,
  }
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
    `accept: expected ids of requirements, received ${unknown.join(', ')}: no requirement matches.${unknown.map((key) => didYouMean(key, idsOf(catalog))).join('')} List all ids with "npx touchstone list".`,
  )
}

/** The decisions of one repeat: one for each requirement of a check that applies to an endpoint. */
function expectedDecisions({ manifest, rows }: Job): ReadonlySet<string> {
  const wanted = new Set(rows)
  const decisions = Object.entries(manifest.endpoints).flatMap(([endpoint, target]) => {
    const profile = profileOf(target)
    const fitting = checks.filter((check) => check.profile === undefined || check.profile === profile)
    return fitting.flatMap(({ title, rows }) =>
      rows.filter((id) => wanted.has(id) && applies(id, profile)).map((id) => key(endpoint, title, id)),
    )
  })
  return new Set(decisions)
}

function key(endpoint: string, check: string, id: string): string {
  return JSON.stringify([endpoint, check, id])
}

/** Adds requirements outside the selection that a check found broken along the way. */
function withAttributed(requested: readonly Requirement[], decisions: readonly Decision[]): readonly Requirement[] {
  const wanted = new Set([...requested.map(({ id }) => id), ...decisions.map(({ row }) => row as string)])
  return catalog.filter(({ id }) => wanted.has(id))
}

function endpointOf(manifest: Manifest, name: string, revision: string | undefined): ReportEndpoint {
  const session = openSession(manifest, name, '')
  const profiles: Profile[] = [session.profile]
  const headers = redactHeaders(session.endpoint.headers ?? {}, createRedactor(session.secrets))
  void session.close()
  return {
    name,
    url: session.endpoint.url,
    headers,
    profiles,
    ...(revision === undefined ? {} : { testGraphsRevision: revision }),
  }
}

function hostOf(manifest: Manifest): string {
  const [first] = Object.values(manifest.endpoints)
  return first ? new URL(first.url).host : 'target'
}

/** SHA-256 of the requirement catalog: reports with the same hash were made with the same requirements. */
function catalogHash(): string {
  return createHash('sha256').update(JSON.stringify(catalog)).digest('hex')
}
