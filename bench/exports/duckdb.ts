import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import { COLUMNS, type Column, type ColumnKind } from '../../mock-server/export/files/columns.ts'
import type { Compression } from '../../mock-server/export/files/compression.ts'
import { parseMicros } from '../../mock-server/export/traces/micros.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'

const TYPES: Readonly<Record<ColumnKind, DuckDBType>> = {
  ...{ text: VARCHAR, word: VARCHAR, json: VARCHAR },
  ...{ time: TIMESTAMPTZ, int: BIGINT, double: DOUBLE, boolean: BOOLEAN },
}
// The vector size of DuckDB, which it loads fastest.
const CHUNK = 2048

/**
 * Loads records into a DuckDB table and copies the table to a file, with one thread and row groups of 5 000 rows.
 *
 * Returns the seconds of both steps, without the time to generate the records.
 */
export async function duckSeconds(
  path: string,
  compression: Compression,
  batches: Iterable<readonly TraceRecord[]>,
): Promise<number> {
  const database = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await database.connect()
  try {
    const columns = COLUMNS.map(({ name, kind }) => `${name} ${TYPES[kind].toString()}`)
    await connection.run(`CREATE TABLE runs (${columns.join(', ')})`)
    const appender = await connection.createAppender('runs')
    let milliseconds = 0
    for (const records of inChunks(batches)) {
      const start = performance.now()
      appender.appendDataChunk(toChunk(records))
      milliseconds += performance.now() - start
    }
    const start = performance.now()
    appender.closeSync()
    const codec = compression === 'none' ? 'uncompressed' : compression
    await connection.run(`COPY runs TO '${path}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 5000)`)
    return (milliseconds + performance.now() - start) / 1000
  } finally {
    connection.closeSync()
    database.closeSync()
  }
}

function* inChunks(batches: Iterable<readonly TraceRecord[]>): Generator<readonly TraceRecord[]> {
  let buffered: TraceRecord[] = []
  for (const batch of batches) {
    buffered.push(...batch)
    while (buffered.length >= CHUNK) {
      yield buffered.slice(0, CHUNK)
      buffered = buffered.slice(CHUNK)
    }
  }
  if (buffered.length > 0) yield buffered
}

function toChunk(records: readonly TraceRecord[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(
    COLUMNS.map(({ kind }) => TYPES[kind]),
    records.length,
  )
  chunk.setColumns(COLUMNS.map((column) => records.map((record) => duckValue(record, column))))
  return chunk
}

function duckValue(record: TraceRecord, { name, kind }: Column): DuckDBValue {
  const value: unknown = record[name]
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'time') return new DuckDBTimestampTZValue(BigInt(parseMicros(String(value))))
  if (kind === 'int') return BigInt(Number(value))
  return typeof value === 'boolean' || typeof value === 'number' ? value : String(value)
}
