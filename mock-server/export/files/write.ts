import { setImmediate } from 'node:timers/promises'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { TraceRecord } from '../traces/record.ts'
import { type CompressedColumn, compressColumns, writeChunk } from './chunk.ts'
import type { Column, ColumnKind } from './columns.ts'
import { type Compression, codecOf } from './compression.ts'
import type { ColumnBuilder } from './encode/column-builder.ts'
import { flagBuilder } from './encode/flag.ts'
import { doubleBuilder, intBuilder, timeBuilder } from './encode/number.ts'
import { jsonBuilder, textBuilder, wordBuilder } from './encode/text.ts'

const STRING: Partial<SchemaElement> = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }

const TYPES: Readonly<Record<ColumnKind, Partial<SchemaElement>>> = {
  text: STRING,
  word: STRING,
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  int: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
}

/** The Parquet schema of a file with these columns. Every column may hold nulls, so that no record changes a schema. */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, kind }): SchemaElement => ({ ...TYPES[kind], name, repetition_type: 'OPTIONAL' })),
  ]
}

/** Where the bytes of a file go, in order. */
export interface ByteSink {
  /** Takes bytes; resolves when it has room for more, and the bytes are not needed in their place any longer. */
  write(bytes: Uint8Array): Promise<void>
}

/** What a file looks like. */
export interface FileFormat {
  readonly columns: readonly Column[]
  readonly compression: Compression
  /** How many rows a row group holds at most. @default 2048 */
  readonly rowGroupRows?: number
}

// Rows are turned into columns this many at a time: few enough that they are still in the processor's cache.
const BLOCK = 100
// Long before its last row a row group of very large records is full: memory holds two of them at most.
const ROW_GROUP_BYTES = 16 * 2 ** 20

/**
 * Writes records as one Parquet file and tells how many rows and bytes it has. Memory holds two row groups, however
 * many records come: one is filled while the other is compressed and goes to the sink.
 * Without any record nothing is written at all, since some readers cannot open a file without rows.
 * Rejects with the first error of `rows`, of the sink, or a TypeError for a value that does not fit its column;
 * the sink is left alone afterwards.
 */
export async function writeFile(
  { columns, compression, rowGroupRows = 2048 }: FileFormat,
  rows: AsyncIterable<readonly TraceRecord[]>,
  sink: ByteSink,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const codec = codecOf(compression)
  const schema = schemaOf(columns)
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({ writer, schema, codec: codec.name, createdBy: 'touchstone' })
  let [filling, idle] = [columns.map(builderOf), columns.map(builderOf)]
  let filled = 0
  let compressing: Promise<unknown> = Promise.resolve()
  let placed: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    await sink.write(writer.getBytes())
    // The next row group goes into the same memory.
    writer.index = 0
  }

  async function place(compressed: Promise<readonly CompressedColumn[]>, count: number): Promise<void> {
    const start = writer.offset
    const chunks = (await compressed).map((column, index) => writeChunk(writer, elementAt(index), codec, column))
    let size = 0n
    for (const { meta_data } of chunks) size += meta_data?.total_uncompressed_size ?? 0n
    parquet.row_groups.push({
      columns: chunks,
      total_byte_size: size,
      num_rows: BigInt(count),
      total_compressed_size: BigInt(writer.offset - start),
    })
    parquet.num_rows += BigInt(count)
    await flush()
  }

  function elementAt(index: number): (typeof schema)[number] {
    const element = schema[index + 1]
    if (!element) throw new RangeError(`column ${index} of ${columns.length}`)
    return element
  }

  async function seal(): Promise<void> {
    const [sealed, count] = [filling, filled]
    const compressed = compressColumns(
      sealed.map((builder) => builder.encoded()),
      codec,
    )
    compressing = compressed.catch(() => {})
    await placed
    placed = place(compressed, count)
    // Awaited at the next row group or at the end.
    placed.catch(() => {})
    for (const builder of idle) builder.clear()
    ;[filling, idle, filled] = [idle, sealed, 0]
    // A server answers other requests between two row groups.
    await setImmediate()
  }

  try {
    for await (const batch of rows) {
      for (let start = 0; start < batch.length; ) {
        const block = batch.slice(start, Math.min(start + BLOCK, start + rowGroupRows - filled))
        for (const builder of filling) builder.append(block)
        start += block.length
        filled += block.length
        if (filled === rowGroupRows || sizeOf(filling) >= ROW_GROUP_BYTES) await seal()
      }
    }
    if (filled > 0) await seal()
  } finally {
    await Promise.allSettled([placed, compressing])
    for (const builder of [...filling, ...idle]) builder.release()
  }
  await placed
  if (parquet.num_rows === 0n) return { rows: 0, bytes: 0 }
  await parquet.finish()
  await flush()
  return { rows: Number(parquet.num_rows), bytes: writer.offset }
}

function sizeOf(builders: readonly ColumnBuilder[]): number {
  let size = 0
  for (const builder of builders) size += builder.size
  return size
}

const MAKERS: Readonly<Record<ColumnKind, (name: keyof TraceRecord) => ColumnBuilder>> = {
  text: textBuilder,
  word: wordBuilder,
  json: jsonBuilder,
  time: timeBuilder,
  int: intBuilder,
  double: doubleBuilder,
  flag: flagBuilder,
}

/** A builder for a column. It throws a TypeError at a value that the column cannot hold. */
export function builderOf({ name, kind }: Column): ColumnBuilder {
  return MAKERS[kind](name)
}
