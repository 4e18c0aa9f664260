import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/**
 * Returns the body of a response without its content coding. Requests name no coding that they accept, so a server may use
 * any (RFC 9110, 12.5.3). A body in an unknown coding is returned as it is.
 */
export function decodedBody({ headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>): Readable {
  const codings = [headers['content-encoding'] ?? []].flat().join(',').toLowerCase().split(',')
  return codings.reduceRight<Readable>((decoded, coding) => {
    const createDecoder = Object.hasOwn(decoders, coding.trim()) && decoders[coding.trim() as keyof typeof decoders]
    // Readers of the decoder see the error.
    return createDecoder ? pipeline(decoded, createDecoder(), () => undefined) : decoded
  }, body)
}
