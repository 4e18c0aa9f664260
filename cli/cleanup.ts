import { Command } from 'commander'
import type { OpenedBucketStore } from '../fixtures/bucket/bucket.ts'
import { plural } from '../reporters/model/text.ts'
import type { Lasting } from '../suites/harness/export/lasting.ts'
import { aliveIn, type EndedLasting, endLasting } from '../suites/runner/end-lasting.ts'
import { resolveManifest } from '../suites/runner/manifest-file.ts'
import { checkSameTarget, readState, type State, writeState } from '../suites/runner/state-file.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { openBucket } from './bucket-option.ts'
import { declaredTarget, type TargetOptions, withEndpointOptions } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Cancels every scheduled export that the file lists and that still lives, and removes the buckets that were made in a
store of yours (TOUCHSTONE_S3_*). Such a file is written by "touchstone test --phase launch", and into the report folder
by a run that could not end what it made. It holds no secret: give the options or the configuration of that run again.
It may be run as often as you like; what has ended is struck off the list, and a file that lists nothing any more may be
given to the next launch.

Exit code: 0 nothing of it lives any more; 2 something does, or a usage error.

Examples:
  $ touchstone cleanup --state reports/living.json
  $ touchstone cleanup --state launched.json --export-url https://traces.example.com \\
      --header 'X-API-Key: env:API_KEY' --header 'X-Tenant-Id: 7a…01'
`

interface CleanupOptions extends TargetOptions {
  state: string
}

/** The command `touchstone cleanup`: ends what an earlier run left on a target. */
export function cleanupCommand(): Command {
  return withEndpointOptions(new Command('cleanup').description('end what an earlier run left on a server'))
    .requiredOption('--state <file>', 'what was left')
    .addHelpText('after', help)
    .action((options: CleanupOptions, command: Command) => orUsageError(command, () => run(options)))
}

async function run(options: CleanupOptions): Promise<void> {
  const state = await readState(options.state)
  if (state.lasting.length === 0) {
    process.stdout.write(`nothing to end: ${options.state} lists nothing that lives on\n`)
    return
  }
  const session = options.session ?? state.endpoints['export']?.session
  const named = options.exportUrl !== undefined && session !== undefined
  const declared = await declaredTarget({ ...options, ...(named && { session }) })
  if (declared === undefined) {
    throw new UsageError(
      `no target: ${options.state} lists what lives on ${placesIn(state)}; give the options of that run, --config FILE or --export-url URL and every --header.`,
    )
  }
  const manifest = await resolveManifest(declared, process.env)
  checkSameTarget(state, manifest, options.state)
  const bucket = await openStore(state)
  try {
    const ended = await endLasting({ ...manifest, ...(bucket && { bucket: bucket.store }) }, state.lasting)
    writeState(options.state, { ...state, lasting: aliveIn(ended), endedAt: new Date().toISOString() })
    tell(ended, options.state)
  } finally {
    await bucket?.close()
  }
}

/** Where the endpoints are that a state is about. */
function placesIn({ endpoints }: State): string {
  return Object.values(endpoints)
    .map(({ url }) => url)
    .join(' and ')
}

/** The store of the buckets; where its settings are missing, what can be done without it is done. */
async function openStore({ lasting }: State): Promise<OpenedBucketStore | undefined> {
  if (!lasting.some(({ kind }) => kind === 'bucket')) return undefined
  try {
    return await openBucket('env')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function tell(ended: readonly EndedLasting[], file: string): void {
  for (const { lasting, outcome, why } of ended) {
    const line = `${words[lasting.kind][outcome]}: ${nameOf(lasting)}${why === undefined ? '' : ` (${why})`}\n`
    if (outcome === 'alive') process.stderr.write(line)
    else process.stdout.write(line)
  }
  const alive = ended.filter(({ outcome }) => outcome === 'alive').length
  const summary = alive === 0 ? 'none of it lives any more' : `${alive} of it could not be ended`
  process.stdout.write(`${plural(ended.length, 'entry', 'entries')} in ${file}: ${summary}\n`)
  process.exitCode = alive === 0 ? 0 : 2
}

const words = {
  schedule: { ended: 'cancelled', over: 'had ended before', alive: 'could not be cancelled' },
  bucket: { ended: 'removed', over: 'was gone before', alive: 'could not be removed' },
} as const

function nameOf(lasting: Lasting): string {
  if (lasting.kind === 'bucket') return `bucket ${lasting.name}`
  const { endpoint, id, destination } = lasting
  return `${id === undefined ? `exports into the destination ${destination}` : `scheduled export ${id}`} at "${endpoint}"`
}
