import { createGzip, createZstdCompress, type Gzip, type ZstdCompress, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec } from 'hyparquet'
import { snappyCompressor } from 'hysnappy'
import { giveBack } from './encode/bytes.ts'

/** How the pages of a file are compressed. */
export type Compression = 'gzip' | 'none' | 'snappy' | 'zstd'

/** Parquet's name of a compression, and how a page gets smaller. */
export interface Codec {
  readonly name: CompressionCodec
  /** A page made smaller: in memory of its own, except where nothing is compressed. */
  compress(page: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Gives back the memory of a page that was made smaller, which must not be looked at again. */
  discard(compressed: Uint8Array): void
}

// Below this many bytes zstd is done sooner than another thread has taken the page up.
const SMALL = 200_000
// Smaller pieces would lie in memory that others share, and that cannot be given back.
const LEAST_PIECE = 65_537

/** The codec of a compression; gzip and zstd work beside the caller, on the threads of the platform. */
export function codecOf(compression: Compression): Codec {
  switch (compression) {
    case 'none':
      return { name: 'UNCOMPRESSED', compress: (page) => page, discard: keep }
    case 'snappy':
      return { name: 'SNAPPY', compress: snappyCompressor(), discard: keep }
    case 'gzip':
      return {
        name: 'GZIP',
        compress: (page) => through(createGzip({ chunkSize: pieceOf(page) }), page),
        discard: giveBack,
      }
    case 'zstd':
      return { name: 'ZSTD', compress: zstd, discard: giveBack }
  }
}

function keep(): void {}

function zstd(page: Uint8Array): Uint8Array | Promise<Uint8Array> {
  // Told the size, zstd takes no more memory than a page needs.
  const options = { chunkSize: pieceOf(page), pledgedSrcSize: page.length }
  return page.length < SMALL ? zstdCompressSync(page, options) : through(createZstdCompress(options), page)
}

// Each piece of output is one trip to another thread and back.
function pieceOf(page: Uint8Array): number {
  return Math.max(LEAST_PIECE, page.length >> 1)
}

function through(stream: Gzip | ZstdCompress, page: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.once('error', reject)
    // Only then does the stream use its memory no longer.
    stream.once('close', () => resolve(joined(pieces)))
    stream.end(page)
  })
}

function joined(pieces: readonly Buffer[]): Uint8Array {
  let size = 0
  for (const { length } of pieces) size += length
  const whole = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  for (const piece of pieces) giveBack(piece)
  return whole
}
