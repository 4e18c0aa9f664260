import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { Codec } from './compression.ts'
import type { EncodedColumn } from './encode/column-builder.ts'

/** A column of a row group with compressed pages. */
export interface CompressedColumn {
  readonly column: EncodedColumn
  /** Definition levels in Parquet's encoding. Version 2 of a data page never compresses them. */
  readonly levels: Uint8Array
  readonly dictionary?: Uint8Array
  /** Values that are not null. */
  readonly body: Uint8Array
}

// Node's thread pool has four threads. Two exports that run concurrently keep them busy with two columns each.
// More columns would only take more memory.
const CONCURRENCY = 2

/**
 * Compresses the pages of columns, at most two columns concurrently. Other threads may read the memory of the column
 * builders until the promise is fulfilled or rejected. With the codec `UNCOMPRESSED`, the result is in that memory, too.
 */
export async function compressColumns(
  columns: readonly EncodedColumn[],
  codec: Codec,
): Promise<readonly CompressedColumn[]> {
  const compressed: CompressedColumn[] = []
  const queue = columns.entries()
  const worker = async (): Promise<void> => {
    for (const [index, column] of queue) compressed[index] = await compressColumn(column, codec)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return compressed
}

async function compressColumn(column: EncodedColumn, codec: Codec): Promise<CompressedColumn> {
  const levels = new ByteWriter()
  writeRleBitPackedHybrid(levels, column.levels, 1)
  const dictionary = column.dictionary && (await codec.compress(column.dictionary.bytes))
  const body = await codec.compress(column.body)
  return { column, levels: levels.getBytes(), body, ...(dictionary && { dictionary }) }
}

/** Appends the pages of a column to the file and returns their metadata for the footer. */
export function writeChunk(
  writer: ByteWriter,
  element: SchemaElement,
  codec: Codec,
  { column, levels, dictionary, body }: CompressedColumn,
): ColumnChunk {
  const start = writer.offset
  const encoding: Encoding = column.dictionary ? 'RLE_DICTIONARY' : 'PLAIN'
  let saved = 0
  if (dictionary && column.dictionary) {
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: column.dictionary.bytes.length,
      compressed_page_size: dictionary.length,
      dictionary_page_header: { num_values: column.dictionary.values, encoding: 'PLAIN' },
    })
    writer.appendBytes(dictionary)
    saved += column.dictionary.bytes.length - dictionary.length
    codec.discard(dictionary)
  }
  const dataStart = writer.offset
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + column.body.length,
    compressed_page_size: levels.length + body.length,
    data_page_header_v2: {
      num_values: column.levels.length,
      num_nulls: column.nulls,
      num_rows: column.levels.length,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  })
  writer.appendBytes(levels)
  writer.appendBytes(body)
  saved += column.body.length - body.length
  codec.discard(body)
  const size = writer.offset - start
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type ?? 'BYTE_ARRAY',
      encodings: column.dictionary ? ['PLAIN', 'RLE', 'RLE_DICTIONARY'] : ['PLAIN', 'RLE'],
      path_in_schema: [element.name],
      codec: codec.name,
      num_values: BigInt(column.levels.length),
      total_compressed_size: BigInt(size),
      total_uncompressed_size: BigInt(size + saved),
      data_page_offset: BigInt(dataStart),
      ...(dictionary && { dictionary_page_offset: BigInt(start) }),
      statistics: {
        null_count: BigInt(column.nulls),
        ...(column.min !== undefined && { min_value: column.min, max_value: column.max }),
      },
    },
  }
}
