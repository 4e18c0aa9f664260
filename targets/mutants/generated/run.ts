import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openBucketStore } from '../../../fixtures/bucket/open.ts'
import { survivingMutants } from '../../../suites/catalog/generated/generated-mutants.ts'
import { packageRoot } from '../../package-root.ts'
import { inTemporaryFolder, runCommand } from '../../processes.ts'
import { renderResults, summarizeResults } from './results.ts'
import { readMutations } from './select.ts'
import { type MutationResult, testGenerated } from './test-mutation.ts'
import { writeGeneratedCounts } from './write-counts.ts'

// `npm run generated-mutants`: applies generated mutations to a trace of the mock server, and to the server.

/** The share of one worker. */
interface Share {
  readonly index: number
  readonly count: number
  readonly trace: string
  readonly only: string
  readonly sample: number | undefined
}

/** Number of mutations that are tested without `--all`. */
const sampleSize = 100
/** Mutations that one worker tests concurrently: a server that is tested mostly waits. */
const concurrency = 3

const usage = `Usage: npm run generated-mutants -- [--all] [--record] [--only TEXT] [--trace FILE] [--quiet]

Derives mutants from the responses of the mock server. Each is applied to a recorded trace, and the rules decide. A mutant
that no rule kills is started as a server and tested by the suites. A mutant counts as killed only if the evidence of a
failure shows a response that it changed. Mutants that conform to the specification must not fail any requirement.

  --all         test all mutants (default: ${sampleSize} of them, always the same)
  --only TEXT   test all mutants whose id contains TEXT
  --trace FILE  use a trace that "touchstone conformance --trace FILE" wrote (default: record one)
  --record      with --all: write the numbers that the list of requirements shows
  --quiet       print only problems and the summary

Exit code: 0 every mutant is killed, equivalent or a recorded survivor, 1 otherwise, 2 usage error.
`

if (isMainThread) await main()
else await runShare(workerData as Share)

async function main(): Promise<void> {
  const options = readOptions()
  if (typeof options === 'string') {
    process.stderr.write(`${options}; see npm run generated-mutants -- --help\n`)
    process.exitCode = 2
    return
  }
  const { all, only = '', quiet, help, trace, record } = options
  if (help) return void process.stdout.write(usage)
  const started = performance.now()
  const results = await inTemporaryFolder(async (folder) => {
    const file = trace ?? join(folder, 'trace.ndjson')
    if (trace === undefined) await recordTrace(file, folder)
    const count = availableParallelism()
    const sample = all || only !== '' ? undefined : sampleSize
    return Promise.all(
      Array.from({ length: count }, (_, index) => startWorker({ index, count, trace: file, only, sample })),
    )
  })
  const summary = summarizeResults(results.flat())
  if (all && record) await writeGeneratedCounts(results.flat())
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(renderResults(results.flat(), summary, quiet, seconds))
  const isNew = ({ id, result }: MutationResult) => result === 'survived' && !survivingMutants.includes(id)
  process.exitCode = summary.unfair === 0 && summary.killed > 0 && !results.flat().some(isNew) ? 0 : 1
}

/** Parses the command line. Returns a message if that fails. */
function readOptions() {
  try {
    return parseArgs({
      options: {
        all: { type: 'boolean', default: false },
        only: { type: 'string' },
        trace: { type: 'string' },
        record: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Tests the mock server in a process of its own, because both together would slow down each other. */
async function recordTrace(file: string, folder: string): Promise<void> {
  const options = ['--dialect', 'spec', '--trace', file, '--report', folder]
  await runCommand([process.execPath, join(packageRoot, 'cli/bin/touchstone.js'), 'conformance', ...options], packageRoot)
}

function startWorker(share: Share): Promise<MutationResult[]> {
  return new Promise((resolve, reject) => {
    const results: MutationResult[] = []
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', (result: MutationResult) => results.push(result))
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve(results) : reject(new Error('a worker ended early'))))
  })
}

async function runShare({ index, count, trace, ...selection }: Share): Promise<void> {
  const { recordings, mutations } = await readMutations(createReadStream(trace, 'utf8'), selection)
  const share = mutations.filter((_, position) => position % count === index)
  const bucket = await openBucketStore('embedded')
  const queue = share.values()
  const runQueue = async () => {
    for (const mutation of queue) parentPort?.postMessage(await testGenerated(mutation, recordings, bucket.store))
  }
  await Promise.all(Array.from({ length: concurrency }, runQueue))
  process.exit(0)
}
