import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { readOptions, usageError } from '../command-line.ts'
import type { Choice } from './choice.ts'
import { choices } from './index.ts'
import { findCulprits } from './shrink.ts'
import { renderCulprit, renderInconclusive, renderTotals } from './summary.ts'
import { testVariant, type VariantResult } from './test-variant.ts'
import { drawVariant, renderSetting, singleVariants, type Variant } from './variant.ts'
import { writeCounts } from './write-counts.ts'

// `npm run variants`: tests variants in several workers for each core, because tests mostly wait for the server.

const defaultSeeds = 20
/** Rejected variants whose settings are shrunk. */
const mostShrunk = 10

const usage = `Usage: npm run variants -- [--seeds [M-]N | --seed S] [--only TEXT] [--record] [--quiet]

Tests variants of the mock server: conforming servers that behave differently wherever the specification leaves something
open. No requirement may fail.

  --seeds N    test the variants of the seeds 1 to N, or with M-N of the seeds M to N (default: ${defaultSeeds})
  --seed S     test the variant of one seed
  --only TEXT  only choices whose id contains TEXT differ; without --seeds and --seed, each of their values alone
  --record     write the numbers that reports and the list of requirements show
  --quiet      print only rejections and the summary

Exit code: 0 every variant is accepted, 1 otherwise, 2 usage error.
`

if (isMainThread) await main()
else runWorker()

async function main(): Promise<void> {
  const options = readOptions('variants', usage, {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  })
  if (options === undefined) return
  const { only = '' } = options
  const selected = choices.filter(({ id }) => id.includes(only))
  if (selected.length === 0)
    return usageError('variants', `expected --only with a part of the id of a choice, received '${only}'`)
  const variants = variantsOf(options, selected)
  if (typeof variants === 'string') return usageError('variants', variants)
  const started = performance.now()
  const results = await testAll(variants, (result) => {
    // Shrinking may take minutes: what is rejected is known before.
    if (!options.quiet || result.rejections.length > 0) process.stdout.write(renderResult(result))
  })
  for (const line of await culpritsOf(results)) process.stdout.write(`${line}\n`)
  for (const line of renderInconclusive(results)) process.stdout.write(`${line}\n`)
  if (options.record) await writeCounts(results)
  process.stdout.write(`in ${Math.round((performance.now() - started) / 1000)} s\n`)
  process.stdout.write(`${renderTotals(results, selected)}\n`)
  process.exitCode = results.every(({ rejections }) => rejections.length === 0) ? 0 : 1
}

function variantsOf(
  { seeds, seed, only, record }: { seeds?: string; seed?: string; only?: string; record: boolean },
  selected: readonly Choice[],
): readonly Variant[] | string {
  // The numbers of some choices would replace those of all.
  if (record && (seed !== undefined || only !== undefined)) return 'expected --record without --seed and --only'
  if (seed !== undefined && seeds !== undefined) return 'expected --seeds or --seed, received both'
  if (seed !== undefined) return [drawVariant(seed, selected)]
  if (seeds === undefined && only !== undefined) return singleVariants(selected)
  const [, first = '1', last] = /^(?:([1-9]\d*)-)?([1-9]\d*)$/.exec(seeds ?? String(defaultSeeds)) ?? []
  const count = Number(last) - Number(first) + 1
  if (!(count > 0)) return `expected --seeds with a positive integer or a range such as 101-300, received '${seeds}'`
  return Array.from({ length: count }, (_, index) => drawVariant(String(Number(first) + index), selected))
}

/** Tests each variant in one of several workers. */
async function testAll(
  variants: readonly Variant[],
  onResult: (result: VariantResult) => void,
): Promise<readonly VariantResult[]> {
  // These variants take longest: they start first, so that none runs alone at the end.
  const queue = variants.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a))).values()
  const results: VariantResult[] = []
  const startWorker = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { argv: [] })
      const postNext = () => worker.postMessage(queue.next().value)
      worker.on('message', (result: VariantResult) => {
        results.push(result)
        onResult(result)
        postNext()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      postNext()
    })
  const count = Math.min(availableParallelism() * 4, variants.length)
  await Promise.all(Array.from({ length: count }, startWorker))
  if (results.length === variants.length) return results
  throw new Error(`expected results of ${variants.length} variants, received ${results.length}: a worker ended early`)
}

/** Whether exports are slow or wait for each other, or responses are late. */
function isSlow({ settings }: Variant): boolean {
  return settings.some(
    ({ choice, value }) => choice === 'export.speed' || (choice === 'http.latency' && value === 'up-to-300-ms'),
  )
}

/** Tests the variants that the main thread posts, one after another, until it posts none. */
function runWorker(): void {
  parentPort?.on('message', async (variant: Variant | undefined) => {
    if (variant === undefined) process.exit(0)
    // Each has its own store, so that the files of the one before it are freed.
    const bucket = await openBucketStore('embedded')
    const result = await testVariant(variant, { choices, scenarios, bucket: bucket.store })
    await bucket.close()
    parentPort?.postMessage(result)
  })
}

/** Returns the causes of rejections, each once. */
async function culpritsOf(results: readonly VariantResult[]): Promise<readonly string[]> {
  const rejected = results.filter(({ rejections }) => rejections.length > 0)
  if (rejected.length === 0) return []
  const bucket = await openBucketStore('embedded')
  const lines: string[] = []
  for (const result of rejected.slice(0, mostShrunk)) {
    const culprits = await findCulprits(result, { choices, scenarios, bucket: bucket.store })
    lines.push(...culprits.map(renderCulprit))
  }
  await bucket.close()
  return lines
}

function renderResult({ variant, rejections, inconclusive }: VariantResult): string {
  const verdict = rejections.length === 0 ? 'accepted' : 'REJECTED'
  const undecided = Object.keys(inconclusive).length
  const more = undecided === 0 ? '' : `, ${undecided} inconclusive`
  const reasons = rejections.map(({ requirement, message }) => `  ${requirement}: ${message}\n`)
  return `${verdict}  seed ${variant.seed} (${Object.values(variant.profiles).join(', ')})${more}: ${variant.settings.map(renderSetting).join(' ')}\n${reasons.join('')}`
}
