import { existsSync, rmSync } from 'node:fs'
import type { BucketKind } from '../fixtures/bucket/bucket.ts'
import { plural } from '../reporters/model/text.ts'
import type { Leftover } from '../suites/harness/export/leftovers.ts'
import { verifiableMs } from '../suites/harness/export/started-schedules.ts'
import { defaultBudgets, type Manifest } from '../suites/harness/manifest.ts'
import { type StartedByEndpoint, startSchedules } from '../suites/runner/start-schedules.ts'
import { checkSameTarget, isUsedUp, readState, stateOf, writeState } from '../suites/runner/state-file.ts'
import type { TestTargetOptions } from '../suites/runner/test-target.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { openBucket } from './bucket-option.ts'
import { onSignal } from './signals.ts'

export const phases = ['start', 'verify'] as const

export type PhaseName = (typeof phases)[number]

/** The options of `touchstone test` that matter for phases. */
interface PhaseOptions {
  readonly phase?: PhaseName
  readonly state?: string
  readonly bucket: BucketKind
  readonly repeat: string
  readonly shard?: string
}

/** The phase in the options, or undefined for an ordinary run. */
export function checkPhase(options: PhaseOptions): { name: PhaseName; state: string } | undefined {
  const { phase, state, bucket } = options
  if (phase === undefined && state === undefined) return undefined
  if (phase === undefined) throw new UsageError('`--state` requires `--phase`.')
  if (state === undefined) throw new UsageError(`\`--phase ${phase}\` requires \`--state FILE\`.`)
  if (bucket !== 'env') {
    throw new UsageError(
      `\`--phase ${phase}\` requires a store that lasts for hours: expected --bucket env with TOUCHSTONE_S3_*, received --bucket ${bucket}.`,
    )
  }
  if (options.shard !== undefined || options.repeat !== '1') {
    throw new UsageError(
      `\`--phase ${phase}\` cannot be combined with --repeat or --shard: the schedules can be tested only once.`,
    )
  }
  return { name: phase, state }
}

/** Starts schedules on a target, writes the state file for `--phase verify`, and prints when to run that. */
export async function startPhase(manifest: Manifest, file: string, kind: BucketKind): Promise<void> {
  if (existsSync(file) && !isUsedUp(file)) {
    throw new UsageError(
      `--state ${file} already lists resources. Verify them or run "touchstone cleanup --state ${file}", or name another file.`,
    )
  }
  onSignal((signal) => {
    process.stderr.write(
      `${signal}: ${file} lists what was started. To remove it:\n  touchstone cleanup --state ${file}\n`,
    )
    process.exit(3)
  })
  const { store, close } = await openBucket(kind)
  try {
    const target = { ...manifest, bucket: store }
    let current: readonly Leftover[] = []
    const onChange = (resources: readonly Leftover[]) => {
      current = resources
      if (resources.length === 0) rmSync(file, { force: true })
      else writeState(file, stateOf(manifest, resources))
    }
    const started = await startSchedules(target, onChange, (url) =>
      process.stderr.write(`waiting for ${url} to respond\n`),
    )
    writeState(file, stateOf(manifest, current, started))
    printStarted(manifest, started, file)
  } finally {
    await close()
  }
}

function printStarted(manifest: Manifest, started: StartedByEndpoint, file: string): void {
  for (const [name, { past, upcoming }] of Object.entries(started)) {
    process.stdout.write(`started at "${name}": scheduled exports ${past.id} and ${upcoming.id}\n`)
  }
  process.stdout.write(
    `They create an export every hour. From ${verifiableFrom(manifest, started)}, run with the same options:\n  touchstone test --phase verify --state ${file}\nTo remove them without a verdict:\n  touchstone cleanup --state ${file}\n`,
  )
}

/** The time from which all started schedules can be verified, in ISO 8601. */
function verifiableFrom(manifest: Manifest, started: StartedByEndpoint): string {
  const lateMs = manifest.budgets?.lateMs ?? defaultBudgets.lateMs
  return new Date(Math.max(...Object.values(started).map((started) => verifiableMs(started, lateMs)))).toISOString()
}

/** Reads the state file for `--phase verify`. `advice` returns what to do after the run. */
export async function readStarted(
  manifest: Manifest,
  file: string,
): Promise<NonNullable<TestTargetOptions['started']> & { readonly advice: () => string }> {
  const state = await readState(file)
  if (state.verifiedAt !== undefined) {
    throw new UsageError(
      `--state ${file} was verified at ${state.verifiedAt}, which is possible only once. Run --phase start again.`,
    )
  }
  if (state.endedAt !== undefined) {
    throw new UsageError(
      `--state ${file} was cleaned up at ${state.endedAt}, so nothing can be verified. Run --phase start again.`,
    )
  }
  const { started: byEndpoint, leftovers } = state
  if (byEndpoint === undefined) {
    throw new UsageError(
      `--state ${file}: expected the file of a completed --phase start, received a list of leftover resources. Remove them with "touchstone cleanup --state ${file}".`,
    )
  }
  checkSameTarget(state, manifest, file)
  let remaining: readonly Leftover[] | undefined
  return {
    byEndpoint,
    leftovers,
    onEnded(left) {
      remaining = left
      writeState(file, { ...state, leftovers: left, verifiedAt: new Date().toISOString() })
    },
    advice() {
      if (remaining?.length === 0) return ''
      const cleanup = `touchstone cleanup --state ${file}`
      if (remaining) {
        const count = plural(remaining.length, 'resource')
        return `${count} in ${file} could not be removed. To try again:\n  ${cleanup}\n`
      }
      const from = verifiableFrom(manifest, byEndpoint)
      return `The schedules are still running. Verify them with the same command from ${from}, or remove them with\n  ${cleanup}\n`
    },
  }
}
