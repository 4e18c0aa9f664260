import { setImmediate } from 'node:timers/promises'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { TraceRecord } from '../traces/record.ts'
import { type CompressedColumn, compressColumns, writeChunk } from './chunk.ts'
import type { Column, ColumnKind } from './columns.ts'
import { type Compression, codecOf } from './compression.ts'
import { booleanBuilder } from './encode/boolean.ts'
import type { ColumnBuilder } from './encode/column-builder.ts'
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
  boolean: { type: 'BOOLEAN' },
}

/** Returns the Parquet schema of columns. Every column is optional, so that the schema never depends on the records. */
function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, kind }): SchemaElement => ({ ...TYPES[kind], name, repetition_type: 'OPTIONAL' })),
  ]
}

/** Receives the bytes of a file in order. */
export interface ByteSink {
  /** Resolves when it can take more bytes and no longer reads the memory of these. */
  write(bytes: Uint8Array): Promise<void>
}

/** Format of a file. */
export interface FileFormat {
  readonly columns: readonly Column[]
  readonly compression: Compression
  /** Maximum number of rows in a row group. @default 2048 */
  readonly rowGroupRows?: number
}

// Number of rows that are turned into columns together: few enough to stay in the processor's cache.
const BLOCK_ROWS = 100
// Limits the memory of row groups with very large records; two row groups are in memory.
const ROW_GROUP_BYTES = 16 * 2 ** 20

/**
 * Writes records as one Parquet file and returns its numbers of rows and bytes.
 *
 * At most two row groups are in memory: one is filled while the other is compressed and written. Without records,
 * nothing is written, because some readers cannot open a file without rows. Rejects with the first error of `rows` or
 * the sink, or with a TypeError for a value that does not fit its column; nothing is written after that.
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
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    await sink.write(writer.getBytes())
    // Reuse the memory for the next row group.
    writer.index = 0
  }

  async function writeRowGroup(compressed: Promise<readonly CompressedColumn[]>, count: number): Promise<void> {
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

  async function finishRowGroup(): Promise<void> {
    const [full, count] = [filling, filled]
    const compressed = compressColumns(
      full.map((builder) => builder.encoded()),
      codec,
    )
    compressing = compressed.catch(() => {})
    await writing
    writing = writeRowGroup(compressed, count)
    // A rejection is reported with the next row group or at the end.
    writing.catch(() => {})
    for (const builder of idle) builder.clear()
    ;[filling, idle, filled] = [idle, full, 0]
    // Let the server handle other requests between two row groups.
    await setImmediate()
  }

  try {
    for await (const batch of rows) {
      for (let start = 0; start < batch.length; ) {
        const block = batch.slice(start, Math.min(start + BLOCK_ROWS, start + rowGroupRows - filled))
        for (const builder of filling) builder.append(block)
        start += block.length
        filled += block.length
        if (filled === rowGroupRows || sizeOf(filling) >= ROW_GROUP_BYTES) await finishRowGroup()
      }
    }
    if (filled > 0) await finishRowGroup()
  } finally {
    await Promise.allSettled([writing, compressing])
    for (const builder of [...filling, ...idle]) builder.release()
  }
  await writing
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

const BUILDERS: Readonly<Record<ColumnKind, (name: keyof TraceRecord) => ColumnBuilder>> = {
  text: textBuilder,
  word: wordBuilder,
  json: jsonBuilder,
  time: timeBuilder,
  int: intBuilder,
  double: doubleBuilder,
  boolean: booleanBuilder,
}

/** Creates the builder of a column. */
function builderOf({ name, kind }: Column): ColumnBuilder {
  return BUILDERS[kind](name)
}
