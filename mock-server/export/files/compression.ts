import { promisify } from 'node:util'
import { gzip, type ZlibOptions, type ZstdOptions, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec } from 'hyparquet'
import { snappyCompressor } from 'hysnappy'

/** How the pages of a file are compressed. */
export type Compression = 'gzip' | 'none' | 'snappy' | 'zstd'

/** Parquet's name of a compression, and how a page gets smaller. */
export interface Codec {
  readonly name: CompressionCodec
  /** A page made smaller: in memory of its own, except where nothing is compressed. */
  compress(page: Uint8Array): Uint8Array | Promise<Uint8Array>
}

const gzipAsync: (page: Uint8Array, options: ZlibOptions) => Promise<Uint8Array> = promisify(gzip)
const zstdAsync: (page: Uint8Array, options: ZstdOptions) => Promise<Uint8Array> = promisify(zstdCompress)

// Below this many bytes zstd is done sooner than another thread has taken the page up.
const SMALL = 200_000

/** The codec of a compression; gzip and zstd work beside the caller, on the threads of the platform. */
export function codecOf(compression: Compression): Codec {
  switch (compression) {
    case 'none':
      return { name: 'UNCOMPRESSED', compress: (page) => page }
    case 'snappy':
      return { name: 'SNAPPY', compress: snappyCompressor() }
    case 'gzip':
      return { name: 'GZIP', compress: (page) => gzipAsync(page, { chunkSize: chunkOf(page) }) }
    case 'zstd':
      return { name: 'ZSTD', compress: zstd }
  }
}

function zstd(page: Uint8Array): Uint8Array | Promise<Uint8Array> {
  // Told the size, zstd takes no more memory than a page needs.
  const options = { chunkSize: chunkOf(page), pledgedSrcSize: page.length }
  return page.length < SMALL ? zstdCompressSync(page, options) : zstdAsync(page, options)
}

// Each chunk of output is one trip to another thread and back.
function chunkOf(page: Uint8Array): number {
  return Math.max(1024, page.length >> 1)
}
