import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { openBucketStore } from '../../../fixtures/bucket/open.ts'
import { survivingMutants } from '../../../suites/catalog/generated/generated-mutants.ts'
import { readOptions, runShares } from '../../command-line.ts'
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
  const options = readOptions('generated-mutants', usage, {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    trace: { type: 'string' },
    record: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  })
  if (options === undefined) return
  const { all, only, quiet, trace, record } = options
  const started = performance.now()
  const results = await inTemporaryFolder(async (folder) => {
    const file = trace ?? join(folder, 'trace.ndjson')
    if (trace === undefined) await recordTrace(file, folder)
    const sample = all || only !== '' ? undefined : sampleSize
    return runShares<MutationResult>(
      import.meta.url,
      (index, count): Share => ({ index, count, trace: file, only, sample }),
    )
  })
  const summary = summarizeResults(results)
  if (all && record) await writeGeneratedCounts(results)
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(renderResults(results, summary, quiet, seconds))
  const isNew = ({ id, result }: MutationResult) => result === 'survived' && !survivingMutants.includes(id)
  process.exitCode = summary.unfair === 0 && summary.killed > 0 && !results.some(isNew) ? 0 : 1
}

/** Tests the mock server in a process of its own, because both together would slow down each other. */
async function recordTrace(file: string, folder: string): Promise<void> {
  const options = ['--dialect', 'spec', '--trace', file, '--report', folder]
  await runCommand([process.execPath, join(packageRoot, 'cli/bin/touchstone.js'), 'conformance', ...options], packageRoot)
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
