import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { COLUMNS, columnsOf } from '../../../mock-server/export/files/columns.ts'
import type { Compression } from '../../../mock-server/export/files/compression.ts'
import { fileKey } from '../../../mock-server/export/files/path.ts'
import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { partitionsOf } from '../../../mock-server/export/windows.ts'
import { written } from '../../fixtures/parquet.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'
import { traceRecord } from '../../fixtures/trace-record.ts'

const START = Date.UTC(2028, 1, 28, 18)
const END = Date.UTC(2028, 2, 1, 6)
const place = { prefix: 'p', exportId: 'e1', tenantId: 't1', sessionId: 's1' }
const stream = traceStream({
  ...{ seed: 'duck', tenantId: 't1', sessionId: 's1', startMs: START, endMs: END, traces: 200 },
  borders: [Date.UTC(2028, 1, 29), Date.UTC(2028, 2, 1)],
})

let duck: DuckDBConnection

beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect()
  await duck.run("SET TimeZone = 'UTC'")
})

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await duck.runAndReadAll(sql)).getRowObjectsJson()
}

async function saved(
  path: string,
  compression: Compression,
  batches: AsyncIterable<readonly TraceRecord[]>,
): Promise<number> {
  const file = await written({ columns: COLUMNS, compression, rowGroupRows: 50 }, batches)
  if (file.result.rows > 0) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, file.bytes)
  }
  return file.result.rows
}

async function* once(records: readonly TraceRecord[]): AsyncIterable<readonly TraceRecord[]> {
  yield records
}

test.each<Compression>(['gzip', 'none', 'snappy', 'zstd'])(
  'an exported tree is one table for hive_partitioning, compressed with %s',
  async (compression) => {
    const folder = await temporaryFolder()
    const counts: Record<string, number> = {}
    for (const { startMs, endMs, ...date } of partitionsOf(START, END)) {
      const path = join(folder, fileKey({ ...place, ...date, file: 'part-0.parquet' }))
      const range = { tenantId: 't1', sessionId: 's1', startMs, endMs }
      counts[`${date.month}-${date.day}`] = await saved(path, compression, stream.scan(range))
    }
    const table = `read_parquet('${folder}/p/**/*.parquet', hive_partitioning = true)`
    expect(
      await rows(
        `SELECT month || '-' || day AS date, count(*)::INT AS n FROM ${table} GROUP BY year, month, day ORDER BY year, month, day`,
      ),
    ).toEqual(Object.entries(counts).map(([date, n]) => ({ date, n })))
    expect(Object.keys(counts)).toEqual(['2-28', '2-29', '3-1'])
    // Every row has the date and the tenant of its path.
    expect(
      await rows(`SELECT count(*)::INT AS wrong FROM ${table}
        WHERE (year(start_time), month(start_time), day(start_time)) <> (year, month, day) OR tenant_id <> 't1'`),
    ).toEqual([{ wrong: 0 }])
  },
)

test.each<Compression>(['gzip', 'none', 'snappy', 'zstd'])(
  'DuckDB reads every value as it was, compressed with %s',
  async (compression) => {
    const folder = await temporaryFolder()
    const records = [...stream.all()].flat()
    const file = join(folder, 'all.parquet')
    await saved(file, compression, once(records))
    const names = COLUMNS.map(({ name, kind }) => {
      if (kind === 'time') return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%fZ') AS ${name}`
      if (kind === 'int') return `${name}::DOUBLE AS ${name}`
      return name
    })
    const read = await rows(`SELECT ${names.join(', ')} FROM '${file}'`)
    const json = COLUMNS.filter(({ kind }) => kind === 'json').map(({ name }) => name)
    const parsed = read.map((row) => ({
      ...row,
      ...Object.fromEntries(json.map((name) => [name, JSON.parse(String(row[name] ?? null)) as unknown])),
    }))
    expect(parsed).toEqual(records)
  },
)

test('DuckDB reads the documented types, also of a column without values', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'nulls.parquet')
  const nothing = Object.fromEntries(COLUMNS.map(({ name }) => [name, null])) as unknown as TraceRecord
  await saved(file, 'zstd', once(Array.from({ length: 20 }, () => nothing)))
  const types = await rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${file}')`)
  const expected = {
    ...{ text: 'VARCHAR', word: 'VARCHAR', json: 'JSON', time: 'TIMESTAMP WITH TIME ZONE' },
    ...{ int: 'BIGINT', double: 'DOUBLE', boolean: 'BOOLEAN' },
  }
  expect(types.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
    COLUMNS.map(({ name, kind }) => [name, expected[kind]]),
  )
  expect(
    await rows(`SELECT count(*)::INT AS n, count(inputs)::INT AS inputs, count(is_root)::INT AS flags FROM '${file}'`),
  ).toEqual([{ n: 20, inputs: 0, flags: 0 }])
})

test('DuckDB reads large JSON, other scripts and microseconds unchanged', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'odd.parquet')
  const text = '頁 "it\'s" 100% \\ 👩‍👩‍👧‍👦\n'.repeat(100_000)
  await saved(file, 'gzip', once([traceRecord({ inputs: { text }, start_time: '1969-12-31T23:59:59.999999Z' })]))
  expect(await rows(`SELECT inputs->>'text' AS text, epoch_us(start_time)::INT AS us FROM '${file}'`)).toEqual([
    { text, us: -1 },
  ])
})

test('DuckDB skips row groups by the bounds of times and numbers, and finds values on a bound', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'bounds.parquet')
  const records = [...stream.all()].flat()
  await saved(file, 'snappy', once(records))
  for (const index of [0, 49, 50, records.length - 1]) {
    const { id, start_time } = records[index] ?? traceRecord()
    expect(
      await rows(`SELECT count(*)::INT AS n FROM '${file}' WHERE start_time = '${start_time}' AND id = '${id}'`),
    ).toEqual([{ n: 1 }])
  }
  const [{ total_tokens } = traceRecord()] = records.toSorted((left, right) => right.total_tokens - left.total_tokens)
  expect(
    await rows(`SELECT max(total_tokens)::INT AS most FROM '${file}' WHERE total_tokens >= ${total_tokens}`),
  ).toEqual([{ most: total_tokens }])
})

test('a projected file has only its columns', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'few.parquet')
  const { bytes } = await written({ columns: columnsOf(['id', 'total_cost']), compression: 'gzip' }, [[traceRecord()]])
  await writeFile(file, bytes)
  expect(Object.keys((await rows(`SELECT * FROM '${file}'`))[0] ?? {})).toEqual([
    'id',
    'tenant_id',
    'is_root',
    'total_cost',
  ])
})
