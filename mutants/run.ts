import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { checks } from '../suites/checks.ts'
import { register } from '../suites/requirements/register.ts'
import { mutants } from './catalogue.ts'
import { judgeMutant, namedChecks } from './judge-mutant.ts'
import { type KillRow, renderTable, tally } from './kill-table.ts'

interface Share {
  readonly index: number
  readonly count: number
  readonly all: boolean
  readonly only: string
}

/** One mutant in this many is run against all checks, not only against those it names; `--all` runs every one so. */
const sampleEvery = 4
/** Mutants judged side by side in one worker: they mostly wait. */
const sideBySide = 3

if (isMainThread) await main()
else await work(workerData as Share)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      quiet: { type: 'boolean', default: false },
    },
  })
  const started = performance.now()
  const count = availableParallelism()
  const shares = Array.from(
    { length: count },
    (_, index): Share => ({ index, count, all: values.all, only: values.only }),
  )
  const rows = (await Promise.all(shares.map(inWorker))).flat()
  const expected = mutants.filter(({ id }) => id.includes(values.only)).length
  if (rows.length !== expected) throw new Error(`${rows.length} of ${expected} mutants were judged: a worker died`)
  const summary = tally(register, rows, values.only === '')
  process.stdout.write(renderTable(rows, summary, values.quiet))
  process.stdout.write(`in ${Math.round((performance.now() - started) / 1000)} s, ${count} workers\n`)
  process.stdout.write(
    `mutants: ${summary.killed} killed, ${summary.survived} survived; rows: ${summary.proved} proved, ${summary.unproved.length} unproved\n`,
  )
  process.exitCode = summary.survived + summary.unproved.length === 0 && summary.faults === 0 ? 0 : 1
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
  const queue = mine.entries()
  const worker = async () => {
    for (const [position, mutant] of queue) {
      const whole = mutant.chance === undefined && (all || position % sampleEvery === 0)
      const { flipped, survived, unexplained, harnessErrors } = await judgeMutant(
        mutant,
        whole ? checks : namedChecks(mutant, checks),
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
