import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { catalog } from '../../suites/catalog/catalog.ts'
import { areaOf } from '../../suites/catalog/requirement.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { readOptions, runShares, usageError } from '../command-line.ts'
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

/** One in this many mutants runs against all scenarios, to find requirements that fail unexpectedly. Odd: workers share them. */
const sampleEvery = 251
/** Mutants that one worker tests concurrently; they mostly wait. */
const concurrency = 4

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
  const options = readOptions('mutants', usage, {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    quiet: { type: 'boolean', default: false },
  })
  if (options === undefined) return
  const { all, only, quiet } = options
  const selected = mutants.filter(({ id }) => id.includes(only))
  if (selected.length === 0) return usageError('mutants', `no mutant id contains ${JSON.stringify(only)}`)
  const started = performance.now()
  const [failing, results] = await Promise.all([
    failingOnReference([...new Set(selected.flatMap((mutant) => checksOf(mutant, scenarios)))]),
    runShares<MutantResult>(import.meta.url, (index, count): Share => ({ index, count, all, only })),
  ])
  if (results.length !== selected.length) {
    throw new Error(`expected results of ${selected.length} mutants, received ${results.length}: a worker ended early`)
  }
  const summary = summarize(catalog, results, only === '')
  const { killed, survived, proved, unproved, faults } = summary
  process.stdout.write(renderKillTable(results, summary, quiet))
  for (const id of failing) process.stdout.write(`invalid check: ${id} fails on the mock server without a defect\n`)
  const places = results.flatMap(({ shown }) => shown.map(({ place }) => place))
  const decisive = places.filter((place) => place === 'decisive').length
  process.stdout.write(`evidence: ${decisive} of ${places.length} failures are decided by what the defect changed\n`)
  process.stdout.write(`in ${Math.round((performance.now() - started) / 1000)} s, ${availableParallelism()} workers\n`)
  process.stdout.write(
    `mutants: ${killed} killed, ${survived} survived; requirements: ${proved} proved, ${unproved.length} unproved\n`,
  )
  process.exitCode = survived + unproved.length + faults + failing.length === 0 ? 0 : 1
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
