import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BucketStore, OpenedBucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { duckSeconds } from '../exports/duckdb.ts'
import { exportAll, type Outcome } from '../exports/export.ts'
import { records } from '../exports/records.ts'
import { seedState } from '../exports/state.ts'
import { interleaved, type Measure, type Setting } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const MEGABYTE = 1_000_000
const COMPRESSION = 'gzip'

/** Whole exports. */
export const exports: Measure = {
  name: 'exports',
  explanation:
    'An export of trace records of four days, compressed with gzip, by `touchstone serve --state` from its creation to its end: the records are read from disk, written as Parquet and uploaded, to the embedded bucket (in the process of the benchmark) and to MinIO. Beside it DuckDB with one thread, which loads the same records from memory into a table and copies that into one file. `peak` is the most memory that the process of the server had resident, `growth` that of the larger export divided by that of the smaller.',
  run: async (setting) => {
    const stores = await openStores(setting)
    try {
      const samples: Samples[] = []
      for (const size of sizesOf(setting)) samples.push(...(await exportsOf(size, stores)))
      return [...samples, ...growth(samples)]
    } finally {
      for (const { close } of stores.values()) await close()
    }
  },
}

interface Size {
  readonly name: string
  readonly rows: number
  readonly rounds: number
}

function sizesOf({ quick, long }: Setting): readonly Size[] {
  if (quick) return [{ name: '2k', rows: 2_000, rounds: 1 }]
  const usual = { name: '200k', rows: 200_000, rounds: 3 }
  return long ? [usual, { name: '2000k', rows: 2_000_000, rounds: 1 }] : [usual]
}

async function openStores({ missing }: Setting): Promise<ReadonlyMap<string, OpenedBucketStore>> {
  const stores = new Map([['embedded', await openBucketStore('embedded')]])
  try {
    stores.set('minio', await openBucketStore('minio'))
  } catch (error) {
    missing(`exports to MinIO: ${error instanceof Error ? error.message : String(error)}`)
  }
  return stores
}

/** One of those that export. */
interface Side {
  readonly name: string
  readonly store: BucketStore
}

async function exportsOf(size: Size, stores: ReadonlyMap<string, OpenedBucketStore>): Promise<readonly Samples[]> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'))
  try {
    const state = join(folder, 'state')
    seedState(state, size.rows)
    const sides: Side[] = [...stores].map(([name, { store }]) => ({ name, store }))
    const rounds = await interleaved([{ name: 'duckdb' }, ...sides], size.rounds, async (item): Promise<Outcome> => {
      if ('store' in item) return exportAll({ ...item, state, rows: size.rows, compression: COMPRESSION })
      const seconds = await duckSeconds(join(folder, 'duckdb.parquet'), COMPRESSION, records(size.rows))
      return { perSecond: size.rows / seconds, peakBytes: 0 }
    })
    const row = (name: string): Samples => ({
      name: `exports.${name}.${size.name}`,
      unit: 'rows/s',
      values: rounds.get(name)?.map(({ perSecond }) => perSecond) ?? [],
    })
    const beside = row('duckdb')
    return [
      beside,
      ...sides.map(({ name }): Samples => ({ ...row(name), beside, goal: goal('ratio', '>=', 0.65) })),
      ...sides.map(({ name }): Samples => {
        const values = rounds.get(name)?.map(({ peakBytes }) => peakBytes / MEGABYTE) ?? []
        return { name: `exports.${name}.${size.name}.peak`, unit: 'MB', values, goal: goal('value', '<=', 350) }
      }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How many times as much memory the largest export takes as the smallest. */
function growth(samples: readonly Samples[]): readonly Samples[] {
  return samples.flatMap(({ name, values }) => {
    const [, side] = /^exports\.(.+)\.2000k\.peak$/.exec(name) ?? []
    const smaller = samples.find((other) => other.name === `exports.${side}.200k.peak`)
    if (side === undefined || smaller === undefined) return []
    const times = Math.max(...values) / Math.max(...smaller.values)
    return [{ name: `exports.${side}.growth`, unit: 'times', values: [times], goal: goal('value', '<=', 1.1) }]
  })
}
