import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duckSeconds } from '../exports/duckdb.ts'
import { records } from '../exports/records.ts'
import { writeSeconds } from '../exports/write.ts'
import { interleaved, type Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const CODECS = ['gzip', 'snappy', 'zstd'] as const

/** Parquet files of trace records. */
export const files: Measure = {
  name: 'files',
  explanation:
    'Rows a second from records in memory to a Parquet file, all 29 columns: the writer of the mock server, with row groups of 2 048, beside DuckDB with one thread and row groups of 5 000, which loads the same records into a table and copies it.',
  run: async ({ quick }) => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'))
    try {
      return await speed(folder, quick)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function speed(folder: string, quick: boolean): Promise<Samples[]> {
  const rows = quick ? 2_000 : 30_000
  const batches = [...records(rows)]
  const samples: Samples[] = []
  for (const codec of CODECS) {
    const sides = [
      { name: `files.duckdb.${codec}`, seconds: () => duckSeconds(join(folder, 'duckdb.parquet'), codec, batches) },
      { name: `files.mock.${codec}`, seconds: () => writeSeconds(join(folder, 'mock.parquet'), codec, batches) },
    ]
    const rounds = await interleaved(sides, quick ? 1 : 5, async ({ seconds }) => rows / (await seconds()))
    const [beside, own] = sides.map(({ name }): Samples => ({ name, unit: 'rows/s', values: rounds.get(name) ?? [] }))
    if (beside && own) samples.push(beside, { ...own, beside, goal: goal('ratio', '>=', 0.65) })
  }
  return samples
}
