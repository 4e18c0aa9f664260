import { join } from 'node:path'
import type { BucketStore, OpenedBucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { inTemporaryFolder } from '../../targets/processes.ts'
import { duckSeconds } from '../exports/duckdb.ts'
import { type ExportResult, exportAll } from '../exports/export.ts'
import { records, seedState } from '../exports/records.ts'
import { interleaved, type Measure, type Setting } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const MEGABYTE = 1_000_000
const COMPRESSION = 'gzip'

/** Speed and memory of complete exports. */
export const exports: Measure = {
  name: 'exports',
  explanation:
    'An export of the trace records of four days, compressed with gzip, by `touchstone serve --state`: the server reads the records from disk, writes them as Parquet and uploads them, to the embedded bucket (in the process of the benchmark) and to MinIO. It is compared to DuckDB with one thread, which loads the same records from memory into a table and copies the table to one file. `peak` is the peak resident memory of the server process, `growth` the peak of the larger export divided by that of the smaller one.',
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
  const standard = { name: '200k', rows: 200_000, rounds: 3 }
  return long ? [standard, { name: '2000k', rows: 2_000_000, rounds: 1 }] : [standard]
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

/** A bucket store to export to. */
interface Side {
  readonly name: string
  readonly store: BucketStore
}

function exportsOf(size: Size, stores: ReadonlyMap<string, OpenedBucketStore>): Promise<readonly Samples[]> {
  return inTemporaryFolder(async (folder) => {
    const state = join(folder, 'state')
    seedState(state, size.rows)
    const sides: Side[] = [...stores].map(([name, { store }]) => ({ name, store }))
    const rounds = await interleaved(
      [{ name: 'duckdb' }, ...sides],
      size.rounds,
      async (item): Promise<ExportResult> => {
        if ('store' in item) return exportAll({ ...item, state, rows: size.rows, compression: COMPRESSION })
        const seconds = await duckSeconds(join(folder, 'duckdb.parquet'), COMPRESSION, records(size.rows))
        return { perSecond: size.rows / seconds, peakBytes: 0 }
      },
    )
    const row = (name: string): Samples => ({
      name: `exports.${name}.${size.name}`,
      unit: 'rows/s',
      values: rounds.get(name)?.map(({ perSecond }) => perSecond) ?? [],
    })
    const reference = row('duckdb')
    return [
      reference,
      ...sides.map(({ name }): Samples => ({ ...row(name), reference, goal: goal('ratio', '>=', 0.65) })),
      ...sides.map(({ name }): Samples => {
        const values = rounds.get(name)?.map(({ peakBytes }) => peakBytes / MEGABYTE) ?? []
        return { name: `exports.${name}.${size.name}.peak`, unit: 'MB', values, goal: goal('value', '<=', 350) }
      }),
    ]
  })
}

/** The peak memory of the largest export divided by that of the smallest. */
function growth(samples: readonly Samples[]): readonly Samples[] {
  return samples.flatMap(({ name, values }) => {
    const [, side] = /^exports\.(.+)\.2000k\.peak$/.exec(name) ?? []
    const smaller = samples.find((other) => other.name === `exports.${side}.200k.peak`)
    if (side === undefined || smaller === undefined) return []
    const times = Math.max(...values) / Math.max(...smaller.values)
    return [{ name: `exports.${side}.growth`, unit: 'times', values: [times], goal: goal('value', '<=', 1.1) }]
  })
}
