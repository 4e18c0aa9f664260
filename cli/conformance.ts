import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Command, Option } from 'commander'
import type { BucketKind } from '../fixtures/bucket/bucket.ts'
import { type DialectName, dialectNames } from '../mock-server/deployment/dialect.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { bucketOption } from './bucket-option.ts'
import type { Servers, ServersOptions } from './conformance-servers.ts'
import { type ResultsOptions, withResultsOptions } from './results-options.ts'
import { orUsageError, wholeNumber } from './usage.ts'

const help = `
Starts the built-in mock server, tests it and writes the reports: the quickest way to see a conformance run. The target
has five endpoints: the deployment API without authentication and with custom authentication, and the bulk export API of
the hosted service, of a current self-hosted installation and of an old one.

Examples:
  $ touchstone conformance
  $ touchstone conformance --area deployment
  $ touchstone conformance --dialect agent-server --repeat 5
  $ TOUCHSTONE_S3_ENDPOINT=http://127.0.0.1:9000 … touchstone conformance --bucket env
`

interface ConformanceOptions extends ResultsOptions {
  dialect: DialectName
  bucket: BucketKind
  area?: 'deployment' | 'export'
  repeat: string
  thorough?: boolean
  seed: string
  trace?: string
}

/** The command `touchstone conformance`. */
export function conformanceCommand(): Command {
  const command = new Command('conformance')
    .description('test the built-in mock server')
    .addOption(
      new Option('--dialect <name>', 'behavior of the mock server where the specification defines none')
        .choices(dialectNames)
        .default('spec'),
    )
    .addOption(bucketOption())
    .addOption(new Option('--area <name>', 'only this area').choices(['deployment', 'export']))
    .option('--repeat <n>', 'run every check n times', '1')
    .option('--thorough', 'also test a join and a stream of more than 5 s')
    .option('--seed <text>', 'repeat the random choices of an earlier run', 'touchstone')
    .option('--trace <file>', 'write every request and response, as NDJSON without secrets')
  return withResultsOptions(command)
    .addHelpText('after', help)
    .action((options: ConformanceOptions, command: Command) => orUsageError(command, () => run(options)))
}

async function run({ dialect, seed, area, trace, thorough = false, ...options }: ConformanceOptions): Promise<void> {
  const repeat = wholeNumber('--repeat', options.repeat)
  // The servers start while this thread loads the checks.
  const starting = startServers({ dialect, bucket: options.bucket, area })
  const [{ runTests }, { endpoints, store, close }] = await Promise.all([import('./run-tests.ts'), starting])
  try {
    const target = {
      name: `touchstone mock server, dialect ${dialect}`,
      endpoints,
      concurrency: 24,
      budgets: { slowMs: 250 },
    }
    const selection = area === undefined ? {} : { areas: [area] }
    await runTests(target, options, { repeat, thorough, seed, selection, trace, ...(store && { bucket: store }) })
  } finally {
    await close()
  }
}

/** Starts the servers in a worker, so that they do not compete with the checks for one thread. */
async function startServers(options: ServersOptions): Promise<Servers & { close(): Promise<unknown> }> {
  const cache = getCompileCacheDir()
  // A worker does not share the cache of this thread unless it is named.
  const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) }
  const worker = new Worker(workerFile, { workerData: options, env })
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  const [servers]: Servers[] = await once(worker, 'message').catch((error: Error) => {
    throw new UsageError(error.message)
  })
  if (servers === undefined) throw new Error('the worker started no servers')
  return {
    ...servers,
    close() {
      worker.postMessage('close')
      return exit
    },
  }
}

/** File of the worker; compiled files have another extension. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? 'conformance-servers.ts' : 'conformance-servers.js',
  import.meta.url,
)
