import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { catalog } from '../../suites/catalog/catalog.ts'
import { areaOf } from '../../suites/catalog/requirement.ts'
import { checks } from '../../suites/checks.ts'
import { mutants } from './catalogue.ts'
import { judgeMutant, namedChecks } from './judge-mutant.ts'
import { type KillRow, renderTable, tally } from './kill-table.ts'
import { brokenOnReference } from './reference.ts'
import { profileOfMutant } from './start-mutant.ts'

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

/** One mutant in this many is run against all checks, not only against those it names; `--all` runs every one so. */
const sampleEvery = 4
/** Mutants judged side by side in one worker: they mostly wait. */
const sideBySide = 3

const usage = `usage: npm run mutants -- [--only TEXT] [--all] [--quiet]

Judges every mutant and prints the kill table. Exit code 0: every mutant is killed, every row proved, and every check
holds on the server without any defect; 1: not so; 2: the options cannot be used.

  --only TEXT  only the mutants whose id contains TEXT
  --all        every mutant against all checks, instead of one in ${sampleEvery} of them
  --quiet      only what needs a look
`

if (isMainThread) await main()
else await work(workerData as Share)

async function main(): Promise<void> {
  const values = readOptions()
  if (typeof values === 'string') return refuse(values)
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const chosen = mutants.filter(({ id }) => id.includes(values.only))
  if (chosen.length === 0) return refuse(`no id of a mutant contains ${JSON.stringify(values.only)}`)
  const started = performance.now()
  const count = availableParallelism()
  const shares = Array.from(
    { length: count },
    (_, index): Share => ({ index, count, all: values.all, only: values.only }),
  )
  const broken = await brokenOnReference([...new Set(chosen.flatMap((mutant) => namedChecks(mutant, checks)))])
  const rows = (await Promise.all(shares.map(inWorker))).flat()
  if (rows.length !== chosen.length)
    throw new Error(`${rows.length} of ${chosen.length} mutants were judged: a worker died`)
  const summary = tally(catalog, rows, values.only === '')
  process.stdout.write(renderTable(rows, summary, values.quiet))
  for (const row of broken) process.stdout.write(`broken: the check of ${row} fails on the server without any defect\n`)
  process.stdout.write(`in ${Math.round((performance.now() - started) / 1000)} s, ${count} workers\n`)
  process.stdout.write(
    `mutants: ${summary.killed} killed, ${summary.survived} survived; rows: ${summary.proved} proved, ${summary.unproved.length} unproved\n`,
  )
  process.exitCode = summary.survived + summary.unproved.length === 0 && summary.faults + broken.length === 0 ? 0 : 1
}

/** The options, or a sentence that says what is wrong with them. */
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

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}; see npm run mutants -- --help\n`)
  process.exitCode = 2
}

function inWorker(share: Share): Promise<KillRow[]> {
  return new Promise((resolve, reject) => {
    const rows: KillRow[] = []
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', (row: KillRow) => rows.push(row))
    worker.on('error', reject)
    worker.on('exit', () => resolve(rows))
  })
}

async function work({ index, count, all, only }: Share): Promise<void> {
  const mine = mutants.filter(({ id }, position) => id.includes(only) && position % count === index)
  const exporting = mine.some((mutant) => areaOf(profileOfMutant(mutant)) === 'export')
  const bucket = exporting ? await openBucketStore('embedded') : undefined
  const queue = mine.entries()
  const worker = async () => {
    for (const [position, mutant] of queue) {
      const whole = mutant.chance === undefined && (all || position % sampleEvery === 0)
      const { flipped, survived, unexplained, harnessErrors } = await judgeMutant(
        mutant,
        whole ? checks : namedChecks(mutant, checks),
        bucket?.store,
      )
      const { id, defect, rows, also = {} } = mutant
      parentPort?.postMessage({
        id,
        defect,
        rows,
        also,
        whole,
        flipped: [...flipped],
        survived,
        unexplained,
        harnessErrors,
      } satisfies KillRow)
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, worker))
  process.exit(0)
}
