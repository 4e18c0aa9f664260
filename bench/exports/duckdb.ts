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
  ...{ time: TIMESTAMPTZ, int: BIGINT, double: DOUBLE, flag: BOOLEAN },
}
// As many rows as DuckDB's own vectors have: its quickest way in.
const CHUNK = 2048

/**
 * Loads records into a table of DuckDB and copies it into a file, with one thread and row groups of 5 000 rows; resolves
 * with the seconds of both together. How long the records take to come does not count.
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
    for (const part of inChunks(batches)) {
      const began = performance.now()
      appender.appendDataChunk(chunkOf(part))
      milliseconds += performance.now() - began
    }
    const began = performance.now()
    appender.closeSync()
    const codec = compression === 'none' ? 'uncompressed' : compression
    await connection.run(`COPY runs TO '${path}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 5000)`)
    return (milliseconds + performance.now() - began) / 1000
  } finally {
    connection.closeSync()
    database.closeSync()
  }
}

function* inChunks(batches: Iterable<readonly TraceRecord[]>): Generator<readonly TraceRecord[]> {
  let waiting: TraceRecord[] = []
  for (const batch of batches) {
    waiting.push(...batch)
    while (waiting.length >= CHUNK) {
      yield waiting.slice(0, CHUNK)
      waiting = waiting.slice(CHUNK)
    }
  }
  if (waiting.length > 0) yield waiting
}

function chunkOf(records: readonly TraceRecord[]): DuckDBDataChunk {
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
