import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { catalog } from '../../suites/catalog/catalog.ts'
import { areaOf } from '../../suites/catalog/requirement.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { mutants } from './index.ts'
import { renderKillTable, summarize } from './kill-table.ts'
import { profileOfMutant } from './start-mutant.ts'
import { checksOf, failingOnReference, type MutantResult, testMutant } from './test-mutant.ts'

// `npm run mutants`: tests mutants in one worker for each core.

/** The share of one worker. */
interface Share {
  readonly index: number
  readonly count: number
  readonly all: boolean
  readonly only: string
}

interface Options {
  readonly all: boolean
  readonly only: string
  readonly quiet: boolean
  readonly help: boolean
}

/** One in this many mutants runs against all scenarios, to find requirements that fail unexpectedly. Odd: workers share them. */
const sampleEvery = 7
/** Mutants that one worker tests concurrently; they mostly wait. */
const concurrency = 3

const usage = `Usage: npm run mutants -- [--only TEXT] [--all] [--quiet]

Tests every mutant and prints the kill table.

  --only TEXT  test only mutants whose id contains TEXT
  --all        run every mutant against all scenarios (default: one in ${sampleEvery})
  --quiet      print only problems and the summary

Exit code: 0 every mutant is killed by what its defect changed, every requirement is proved and every scenario passes without a
defect, 1 otherwise, 2 usage error.
`

if (isMainThread) await main()
else await runShare(workerData as Share)

async function main(): Promise<void> {
  const options = readOptions()
  if (typeof options === 'string') return usageError(options)
  const { all, only, quiet, help } = options
  if (help) return print(usage)
  const selected = mutants.filter(({ id }) => id.includes(only))
  if (selected.length === 0) return usageError(`no mutant id contains ${JSON.stringify(only)}`)
  const started = performance.now()
  const failing = await failingOnReference([...new Set(selected.flatMap((mutant) => checksOf(mutant, scenarios)))])
  const count = availableParallelism()
  const shares = Array.from({ length: count }, (_, index): Share => ({ index, count, all, only }))
  const results = (await Promise.all(shares.map(startWorker))).flat()
  if (results.length !== selected.length) {
    throw new Error(`expected results of ${selected.length} mutants, received ${results.length}: a worker ended early`)
  }
  const summary = summarize(catalog, results, only === '')
  const { killed, survived, proved, unproved, faults } = summary
  print(renderKillTable(results, summary, quiet))
  for (const id of failing) print(`invalid check: ${id} fails on the mock server without a defect\n`)
  const places = results.flatMap(({ shown }) => shown.map(({ place }) => place))
  const decisive = places.filter((place) => place === 'decisive').length
  print(`evidence: ${decisive} of ${places.length} failures are decided by what the defect changed\n`)
  print(`in ${Math.round((performance.now() - started) / 1000)} s, ${count} workers\n`)
  print(
    `mutants: ${killed} killed, ${survived} survived; requirements: ${proved} proved, ${unproved.length} unproved\n`,
  )
  process.exitCode = survived + unproved.length + faults + failing.length === 0 ? 0 : 1
}

/** Parses the command line. Returns a message if that fails. */
function readOptions(): Options | string {
  try {
    return parseArgs({
      options: {
        all: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function usageError(message: string): void {
  process.stderr.write(`${message}; see npm run mutants -- --help\n`)
  process.exitCode = 2
}

function print(text: string): void {
  process.stdout.write(text)
}

function startWorker(share: Share): Promise<MutantResult[]> {
  return new Promise((resolve, reject) => {
    const results: MutantResult[] = []
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', (result: MutantResult) => results.push(result))
    worker.on('error', reject)
    worker.on('exit', () => resolve(results))
  })
}

async function runShare({ index, count, all, only }: Share): Promise<void> {
  const share = mutants.filter(({ id }, position) => id.includes(only) && position % count === index)
  const needsBucket = share.some((mutant) => areaOf(profileOfMutant(mutant)) === 'export')
  const bucket = needsBucket ? await openBucketStore('embedded') : undefined
  const queue = share.values()
  const runQueue = async () => {
    for (const mutant of queue) {
      // The same with --only, so that it repeats what happens without.
      const isSampled = mutants.indexOf(mutant) % sampleEvery === 0
      const allScenarios = mutant.nondeterministic === undefined && (all || isSampled)
      const result = await testMutant(mutant, allScenarios ? scenarios : checksOf(mutant, scenarios), bucket?.store)
      parentPort?.postMessage(result)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runQueue))
  process.exit(0)
}
