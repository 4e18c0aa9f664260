import { createGzip, createZstdCompress, type Gzip, gzipSync, type ZstdCompress, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec } from 'hyparquet'
import { snappyCompressor } from 'hysnappy'
import { freeMemory } from './encode/bytes.ts'

/** Compression of the pages of a file. */
export type Compression = 'gzip' | 'none' | 'snappy' | 'zstd'

/** Compresses pages. */
export interface Codec {
  /** Name in the footer of the file. */
  readonly name: CompressionCodec
  /** Compresses a page into new memory; returns the page itself if nothing is compressed. */
  compress(page: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Frees the memory of a compressed page. Do not read the page afterwards. */
  discard(compressed: Uint8Array): void
}

// Below this many bytes, a page is compressed faster than another thread can start on it.
const SYNC_BYTES = { gzip: 20_000, zstd: 200_000 }
// Smaller chunks would be allocated in Node's shared pool, which cannot be freed.
const MIN_CHUNK = 65_537

/** Creates the codec of a compression. Large pages run on Node's thread pool with gzip and zstd. */
export function codecOf(compression: Compression): Codec {
  switch (compression) {
    case 'none':
      return { name: 'UNCOMPRESSED', compress: (page) => page, discard: () => undefined }
    case 'snappy':
      return { name: 'SNAPPY', compress: snappyCompressor(), discard: () => undefined }
    case 'gzip':
      return { name: 'GZIP', compress: gzip, discard: freeMemory }
    case 'zstd':
      return { name: 'ZSTD', compress: zstd, discard: freeMemory }
  }
}

function gzip(page: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const options = { chunkSize: chunkSizeOf(page) }
  return page.length < SYNC_BYTES.gzip ? gzipSync(page, options) : through(createGzip(options), page)
}

function zstd(page: Uint8Array): Uint8Array | Promise<Uint8Array> {
  // With the size known, zstd allocates no more memory than the page needs.
  const options = { chunkSize: chunkSizeOf(page), pledgedSrcSize: page.length }
  return page.length < SYNC_BYTES.zstd ? zstdCompressSync(page, options) : through(createZstdCompress(options), page)
}

// Every chunk of output is one round trip to another thread, so use few.
function chunkSizeOf(page: Uint8Array): number {
  return Math.max(MIN_CHUNK, page.length >> 1)
}

function through(stream: Gzip | ZstdCompress, page: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.once('error', reject)
    // After this event the stream no longer uses its memory.
    stream.once('close', () => resolve(concat(chunks)))
    stream.end(page)
  })
}

function concat(chunks: readonly Buffer[]): Uint8Array {
  let size = 0
  for (const { length } of chunks) size += length
  const whole = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const chunk of chunks) {
    whole.set(chunk, end)
    end += chunk.length
  }
  for (const chunk of chunks) freeMemory(chunk)
  return whole
}
