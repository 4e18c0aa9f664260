import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { COLUMNS, columnsOf } from '../../../mock-server/export/files/columns.ts'
import type { Compression } from '../../../mock-server/export/files/compression.ts'
import { writeFile } from '../../../mock-server/export/files/write.ts'
import { formatMicros } from '../../../mock-server/export/traces/micros.ts'
import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { footer, rowsOf, written } from '../../fixtures/parquet.ts'
import { traceRecord } from '../../fixtures/trace-record.ts'

const START = Date.UTC(2026, 0, 1)
const compressions: readonly Compression[] = ['gzip', 'none', 'snappy', 'zstd']
const day = traceStream({
  ...{ seed: 'files', tenantId: 'tenant', sessionId: 'session', traces: 120 },
  ...{ startMs: START, endMs: START + 86_400_000 },
})
const records = [...day.all()].flat()
const format = { columns: COLUMNS, compression: 'gzip' } as const

test.each(compressions)('every record is read back unchanged, compressed with %s', async (compression) => {
  const file = await written({ columns: COLUMNS, compression, rowGroupRows: 100 }, day.all())
  expect(await rowsOf(file)).toEqual(records)
  expect(file.result).toEqual({ rows: records.length, bytes: file.bytes.length })
})

test('all row groups except the last are full, for any batches of records', async () => {
  const sizes = [[7, 1], [records.length], [100, 100], [1]]
  for (const [first = 1, ...more] of sizes) {
    const batches: (readonly TraceRecord[])[] = [records.slice(0, first)]
    let at = first
    while (at < records.length) {
      const size = more[batches.length % more.length] ?? first
      batches.push(records.slice(at, at + size))
      at += size
    }
    const file = await written({ ...format, rowGroupRows: 100 }, batches)
    const groups = footer(file).row_groups.map(({ num_rows }) => Number(num_rows))
    expect(groups.slice(0, -1).every((rows) => rows === 100)).toBe(true)
    expect(groups).toHaveLength(Math.ceil(records.length / 100))
    expect(await rowsOf(file)).toEqual(records)
  }
})

test('the schema does not depend on the records, even for a column without values', async () => {
  const nothing = Object.fromEntries(COLUMNS.map(({ name }) => [name, null])) as unknown as TraceRecord
  const schemas = await Promise.all(
    [records, [traceRecord()], [nothing], [nothing, traceRecord(), nothing]].map(
      async (rows) => footer(await written(format, [rows])).schema,
    ),
  )
  for (const schema of schemas) expect(schema).toEqual(schemas[0])
  const types = Object.fromEntries(
    schemas[0]?.slice(1).map(({ name, logical_type, type }) => [name, logical_type ?? type]) ?? [],
  )
  expect(types).toMatchObject({
    id: { type: 'STRING' },
    start_time: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    inputs: { type: 'JSON' },
    total_tokens: 'INT64',
    total_cost: 'DOUBLE',
    is_root: 'BOOLEAN',
  })
})

test.each(compressions)('a column without values is read as nulls, compressed with %s', async (compression) => {
  const nothing = Object.fromEntries(COLUMNS.map(({ name }) => [name, null])) as unknown as TraceRecord
  const rows = Array.from({ length: 20 }, () => nothing)
  expect(await rowsOf(await written({ columns: COLUMNS, compression }, [rows]))).toEqual(rows)
})

test('export_fields leaves out all other columns except tenant_id and is_root', async () => {
  const columns = columnsOf(['start_time', 'id'])
  const [row] = await rowsOf(await written({ columns, compression: 'gzip' }, [[traceRecord()]]))
  expect(Object.keys(row ?? {})).toEqual(['id', 'tenant_id', 'start_time', 'is_root'])
})

test('writes nothing without records', async () => {
  expect(await written(format, [])).toMatchObject({ chunks: 0, result: { rows: 0, bytes: 0 } })
  expect(await written(format, [[], []])).toMatchObject({ chunks: 0, result: { rows: 0, bytes: 0 } })
})

test('any text, number and time is read back unchanged, also in other scripts, with escapes and with megabytes in one field', async () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
  const record = fc.record({
    name: text,
    error: fc.option(text),
    inputs: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text)), {
      noNullPrototype: true,
    }),
    tags: fc.array(text),
    total_tokens: fc.maxSafeNat(),
    total_cost: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((cost) => cost + 0)),
    start_time: fc.integer({ min: -2e15, max: 4e15 }).map(formatMicros),
    end_time: fc.option(fc.integer({ min: -2e15, max: 4e15 }).map(formatMicros)),
    is_root: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(record.map(traceRecord), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, size) => {
        // JSON has no negative zero.
        const asJson = JSON.parse(JSON.stringify(rows)) as unknown
        expect(await rowsOf(await written({ ...format, rowGroupRows: size }, [rows]))).toEqual(asJson)
      },
    ),
    { numRuns: 40 },
  )
  const huge = traceRecord({ inputs: { page: '頁'.repeat(2_000_000) } })
  expect(await rowsOf(await written(format, [[huge]]))).toEqual([huge])
})

test('large records produce small row groups, which bounds memory', async () => {
  const large = Array.from({ length: 600 }, (_, index) => traceRecord({ inputs: { page: `${index}`.repeat(30_000) } }))
  const file = await written({ ...format, compression: 'none' }, [large])
  expect(footer(file).row_groups.length).toBeGreaterThan(1)
  expect(await rowsOf(file)).toEqual(large)
})

test('numbers and times have bounds, so that readers can skip row groups', async () => {
  const { row_groups } = footer(await written({ ...format, rowGroupRows: 100 }, [records]))
  const bounds = row_groups.map(({ columns }) =>
    columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === 'start_time'),
  )
  for (const [index, column] of bounds.entries()) {
    const group = records.slice(index * 100, (index + 1) * 100).map(({ start_time }) => Date.parse(start_time))
    const { min_value, max_value, null_count } = column?.meta_data?.statistics ?? {}
    expect([min_value, max_value]).toEqual([new Date(group[0] ?? 0), new Date(group.at(-1) ?? 0)])
    expect(null_count).toBe(0n)
  }
})

test('the error for an invalid value names the field, the expected type and the value', async () => {
  const broken = (changes: Readonly<Record<string, unknown>>): Promise<unknown> =>
    written(format, [[{ ...traceRecord(), ...changes }]])
  await expect(broken({ end_time: 'soon' })).rejects.toThrow(
    'end_time of a run: expected an ISO 8601 time with a zone, received "soon"',
  )
  await expect(broken({ total_tokens: 1.5 })).rejects.toThrow(
    'total_tokens of a run: expected an integer, received 1.5',
  )
  await expect(broken({ total_cost: '1' })).rejects.toThrow(
    'total_cost of a run: expected a finite number, received "1"',
  )
  await expect(broken({ name: 7 })).rejects.toThrow('name of a run: expected a string, received 7')
  await expect(broken({ is_root: 'yes' })).rejects.toThrow('is_root of a run: expected true or false, received "yes"')
})

test('reads no more rows than the sink accepts', async () => {
  let [read, taken, ahead] = [0, 0, 0]
  async function* source(): AsyncIterable<readonly TraceRecord[]> {
    for (let group = 0; group < 50; group++) {
      read++
      ahead = Math.max(ahead, read - taken)
      yield records.slice(0, 10)
    }
  }
  const slow = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    taken++
  }
  expect(await writeFile({ ...format, rowGroupRows: 10 }, source(), { write: slow })).toMatchObject({ rows: 500 })
  // One row group is written, one is compressed, and one is filled.
  expect(ahead).toBeLessThanOrEqual(3)
})

test('stops writing after an error of the sink or of the source', async () => {
  let writes = 0
  const full = writeFile({ ...format, rowGroupRows: 10 }, inTurn([records]), {
    write: async () => {
      writes++
      throw new Error('the bucket is full')
    },
  })
  await expect(full).rejects.toThrow('the bucket is full')
  expect(writes).toBe(1)

  async function* broken(): AsyncIterable<readonly TraceRecord[]> {
    yield records
    throw new Error('the store went away')
  }
  let open = 0
  const lost = writeFile({ ...format, rowGroupRows: 10 }, broken(), {
    write: async () => {
      open++
      await setImmediate()
      open--
    },
  })
  await expect(lost).rejects.toThrow('the store went away')
  expect(open).toBe(0)
})

async function* inTurn(batches: Iterable<readonly TraceRecord[]>): AsyncIterable<readonly TraceRecord[]> {
  yield* batches
}

test.each<Compression>(['gzip', 'zstd'])(
  'a written file leaves no memory behind, compressed with %s',
  async (compression) => {
    const many = traceStream({
      ...{ seed: 'memory', tenantId: 'tenant', sessionId: 'session', traces: 3000 },
      ...{ startMs: START, endMs: START + 86_400_000 },
    })
    const { arrayBuffers: before } = process.memoryUsage()
    let most = 0
    const watch = async (): Promise<void> => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    await writeFile({ columns: COLUMNS, compression }, inTurn(many.all()), { write: watch })
    // Whether or not they are collected, only the footer, the levels of columns and small buffers remain: 14 to 36 % of the
    // peak; 73 to 100 % if the garbage collector has to free the others.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(most / 2)
  },
)
