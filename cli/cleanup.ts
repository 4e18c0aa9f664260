import { Command } from 'commander'
import type { OpenedBucketStore } from '../fixtures/bucket/bucket.ts'
import { plural } from '../reporters/model/text.ts'
import type { Leftover } from '../suites/harness/export/leftovers.ts'
import { resolveManifest } from '../suites/runner/manifest-file.ts'
import { leftIn, type RemovedLeftover, removeLeftovers } from '../suites/runner/remove-leftovers.ts'
import { checkSameTarget, readState, type State, writeState } from '../suites/runner/state-file.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { openBucket } from './bucket-option.ts'
import { declaredTarget, type TargetOptions, withEndpointOptions } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Cancels the scheduled exports that the file lists, and removes the buckets that were created in your own store
(TOUCHSTONE_S3_*). "touchstone test --phase start" writes such a file, and so does a run that could not clean up: it
writes leftovers.json into its report folder. The file has no secrets, so give the options or the configuration of that
run again. You can repeat the command. Removed resources are removed from the list, and you can use a file with an empty
list for the next --phase start.

Exit code: 0 nothing is left; 2 something is left, or a usage error.

Examples:
  $ touchstone cleanup --state reports/leftovers.json
  $ touchstone cleanup --state started.json --export-url https://traces.example.com \\
      --header 'X-API-Key: env:API_KEY' --header 'X-Tenant-Id: 7a…01'
`

interface CleanupOptions extends TargetOptions {
  state: string
}

/** The command `touchstone cleanup`. */
export function cleanupCommand(): Command {
  return withEndpointOptions(new Command('cleanup').description('remove what an earlier run left on a server'))
    .requiredOption('--state <file>', 'the list of leftover resources')
    .addHelpText('after', help)
    .action((options: CleanupOptions, command: Command) => orUsageError(command, () => run(options)))
}

async function run(options: CleanupOptions): Promise<void> {
  const state = await readState(options.state)
  if (state.leftovers.length === 0) {
    process.stdout.write(`nothing to remove: ${options.state} lists no resources\n`)
    return
  }
  const session = options.session ?? state.endpoints['export']?.session
  const needsSession = options.exportUrl !== undefined && session !== undefined
  const declared = await declaredTarget({ ...options, ...(needsSession && { session }) })
  if (declared === undefined) {
    throw new UsageError(
      `expected the target of the run, received none: ${options.state} lists resources on ${urlsOf(state)}. Give the options of that run: --config FILE, or --export-url URL and every --header.`,
    )
  }
  const manifest = await resolveManifest(declared, process.env)
  checkSameTarget(state, manifest, options.state)
  const bucket = await openStore(state)
  try {
    const results = await removeLeftovers({ ...manifest, ...(bucket && { bucket: bucket.store }) }, state.leftovers)
    writeState(options.state, { ...state, leftovers: leftIn(results), endedAt: new Date().toISOString() })
    printResults(results, options.state)
  } finally {
    await bucket?.close()
  }
}

function urlsOf({ endpoints }: State): string {
  return Object.values(endpoints)
    .map(({ url }) => url)
    .join(' and ')
}

/** Opens the store with the buckets. If its settings are missing, only the buckets are left. */
async function openStore({ leftovers }: State): Promise<OpenedBucketStore | undefined> {
  if (!leftovers.some(({ kind }) => kind === 'bucket')) return undefined
  try {
    return await openBucket('env')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function printResults(results: readonly RemovedLeftover[], file: string): void {
  for (const { leftover, outcome, why } of results) {
    const line = `${outcomeTexts[leftover.kind][outcome]}: ${nameOf(leftover)}${why === undefined ? '' : ` (${why})`}\n`
    if (outcome === 'alive') process.stderr.write(line)
    else process.stdout.write(line)
  }
  const left = leftIn(results).length
  const summary = left === 0 ? 'all removed' : `${left} could not be removed`
  process.stdout.write(`${plural(results.length, 'resource')} in ${file}: ${summary}\n`)
  process.exitCode = left === 0 ? 0 : 2
}

const outcomeTexts = {
  schedule: { ended: 'cancelled', over: 'had ended before', alive: 'could not be cancelled' },
  bucket: { ended: 'removed', over: 'was removed before', alive: 'could not be removed' },
} as const

function nameOf(leftover: Leftover): string {
  if (leftover.kind === 'bucket') return `bucket ${leftover.name}`
  const { endpoint, id, destination } = leftover
  return `${id === undefined ? `exports to the destination ${destination}` : `scheduled export ${id}`} at "${endpoint}"`
}
