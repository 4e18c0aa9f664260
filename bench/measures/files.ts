import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { COLUMNS } from '../../mock-server/export/files/columns.ts'
import type { Compression } from '../../mock-server/export/files/compression.ts'
import { writeFile } from '../../mock-server/export/files/write.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'
import { inTemporaryFolder } from '../../targets/processes.ts'
import { duckSeconds } from '../exports/duckdb.ts'
import { records } from '../exports/records.ts'
import { interleaved, type Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const CODECS = ['gzip', 'snappy', 'zstd'] as const

/** Speed of writing trace records to Parquet files. */
export const files: Measure = {
  name: 'files',
  explanation:
    'Rows per second from records in memory to a Parquet file with all 29 columns: the writer of the mock server, with row groups of 2 048 rows, compared to DuckDB with one thread and row groups of 5 000 rows, which loads the same records into a table and copies it.',
  run: ({ quick }) => inTemporaryFolder((folder) => speed(folder, quick)),
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
    const [reference, own] = sides.map(
      ({ name }): Samples => ({ name, unit: 'rows/s', values: rounds.get(name) ?? [] }),
    )
    if (reference && own) samples.push(reference, { ...own, reference, goal: goal('ratio', '>=', 0.65) })
  }
  return samples
}

/** Writes records to a file as the mock server does. Returns the seconds that it takes. */
async function writeSeconds(
  path: string,
  compression: Compression,
  batches: Iterable<readonly TraceRecord[]>,
): Promise<number> {
  const file = await open(path, 'w')
  try {
    const started = performance.now()
    await writeFile({ columns: COLUMNS, compression }, toAsync(batches), {
      write: async (bytes) => void (await file.write(bytes)),
    })
    return (performance.now() - started) / 1000
  } finally {
    await file.close()
  }
}

async function* toAsync(batches: Iterable<readonly TraceRecord[]>): AsyncIterable<readonly TraceRecord[]> {
  yield* batches
}
