import { existsSync, rmSync } from 'node:fs'
import type { BucketKind } from '../fixtures/bucket/bucket.ts'
import { plural } from '../reporters/model/text.ts'
import type { Lasting } from '../suites/harness/export/lasting.ts'
import { judgeableMs } from '../suites/harness/export/launched-scene.ts'
import { defaultBudgets, type Manifest } from '../suites/harness/manifest.ts'
import type { JudgeOptions } from '../suites/runner/judge.ts'
import { type LaunchedByEndpoint, launch } from '../suites/runner/launch.ts'
import { checkSameTarget, isUsedUp, readState, stateOf, writeState } from '../suites/runner/state-file.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { openBucket } from './bucket-option.ts'
import { endInOrder } from './signals.ts'

/** What the options of `touchstone test` say of phases. */
interface PhaseOptions {
  readonly phase?: 'launch' | 'verify'
  readonly state?: string
  readonly bucket: BucketKind
  readonly repeat: string
  readonly shard?: string
  readonly list?: true
}

/** The phase that the options ask for; undefined for an ordinary run. */
export function checkPhase(options: PhaseOptions): { name: 'launch' | 'verify'; state: string } | undefined {
  const { phase, state, bucket } = options
  if (phase === undefined && state === undefined) return undefined
  if (phase === undefined) throw new UsageError('--state is for --phase launch and --phase verify; add that.')
  if (state === undefined)
    throw new UsageError(`--phase ${phase} needs a file to keep what was launched: --state FILE.`)
  if (bucket !== 'env') {
    throw new UsageError(
      `--phase ${phase} needs a store that is there for hours: --bucket env with TOUCHSTONE_S3_*, received --bucket ${bucket}.`,
    )
  }
  if (options.shard !== undefined || options.repeat !== '1') {
    throw new UsageError(
      `--phase ${phase} cannot be combined with --repeat or --shard: what was launched is judged once.`,
    )
  }
  return { name: phase, state }
}

/** Launches schedules on a target and writes into a file what `--phase verify` needs; prints when that may come. */
export async function launchSchedules(manifest: Manifest, file: string, kind: BucketKind): Promise<void> {
  if (existsSync(file) && !isUsedUp(file)) {
    throw new UsageError(
      `--state ${file} exists: verify or clean up what it lists ("touchstone cleanup --state ${file}"), or name another file.`,
    )
  }
  endInOrder((signal) => {
    process.stderr.write(`${signal}: what was launched until now is in ${file}\n  touchstone cleanup --state ${file}\n`)
    process.exit(3)
  })
  const { store, close } = await openBucket(kind)
  try {
    const target = { ...manifest, bucket: store }
    let left: readonly Lasting[] = []
    const keep = (living: readonly Lasting[]) => {
      left = living
      if (living.length === 0) rmSync(file, { force: true })
      else writeState(file, stateOf(manifest, living))
    }
    const launched = await launch(target, keep, (url) => process.stderr.write(`waiting for ${url} to answer\n`))
    writeState(file, stateOf(manifest, left, launched))
    tellLaunched(manifest, launched, file)
  } finally {
    await close()
  }
}

function tellLaunched(manifest: Manifest, launched: LaunchedByEndpoint, file: string): void {
  for (const [name, { past, ahead }] of Object.entries(launched)) {
    process.stdout.write(`launched at "${name}": scheduled exports ${past.id} and ${ahead.id}\n`)
  }
  process.stdout.write(
    `They spawn exports by the hour. From ${judgeableFrom(manifest, launched)} on, with the same options:\n  touchstone test --phase verify --state ${file}\nTo end them without a verdict:\n  touchstone cleanup --state ${file}\n`,
  )
}

function judgeableFrom(manifest: Manifest, launched: LaunchedByEndpoint): string {
  const lateMs = manifest.budgets?.lateMs ?? defaultBudgets.lateMs
  return new Date(Math.max(...Object.values(launched).map((one) => judgeableMs(one, lateMs)))).toISOString()
}

/** What was launched, for a run that judges it; `advice` tells afterwards what to do with it. */
export async function readLaunched(
  manifest: Manifest,
  file: string,
): Promise<NonNullable<JudgeOptions['launched']> & { readonly advice: () => string }> {
  const state = await readState(file)
  if (state.verifiedAt !== undefined) {
    throw new UsageError(`--state ${file} was judged at ${state.verifiedAt}, which can be done once; launch anew.`)
  }
  if (state.endedAt !== undefined) {
    throw new UsageError(
      `--state ${file} was cleaned up at ${state.endedAt}, so that nothing can be judged; launch anew.`,
    )
  }
  const { launched: byEndpoint, lasting } = state
  if (byEndpoint === undefined) {
    throw new UsageError(
      `--state ${file} is of no launch that came to its end; "touchstone cleanup --state ${file}" ends what it lists.`,
    )
  }
  checkSameTarget(state, manifest, file)
  let alive: readonly Lasting[] | undefined
  return {
    byEndpoint,
    lasting,
    onEnded(left) {
      alive = left
      writeState(file, { ...state, lasting: left, verifiedAt: new Date().toISOString() })
    },
    advice() {
      if (alive?.length === 0) return ''
      const end = `touchstone cleanup --state ${file}`
      if (alive)
        return `${plural(alive.length, 'entry', 'entries')} of ${file} could not be ended; try again with\n  ${end}\n`
      const from = judgeableFrom(manifest, byEndpoint)
      return `What was launched lives on. Judge it with the same command from ${from} on, or end it with\n  ${end}\n`
    },
  }
}
