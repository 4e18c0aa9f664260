import { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { seededRandom } from '../../../mock-server/runtime/random.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { isStream, replace, responses } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** How responses travel. */
export const connectionChoices: readonly Choice[] = choicesOf(undefined, {
  'http.latency': {
    description: 'How long responses take.',
    legal: 'how long a response takes is not shown (ruling 38)',
    values: {
      '20-ms': { wrap: delay(() => 20) },
      'up-to-100-ms': { wrap: (fetch) => delay(upTo(100))(fetch) },
      'up-to-300-ms': {
        wrap: (fetch) => delay(upTo(300))(fetch),
        excuses: { 'export.cancel.one-off': 'a fast export ends before the cancellation arrives' },
      },
    },
  },
  'http.connection': {
    description: 'The version of HTTP, and how long connections persist.',
    legal:
      'the specification names no version of HTTP; a server may close an idle connection at any time (RFC 9112, 9.5)',
    values: {
      'HTTP-1.0': { transport: { version: '1.0' } },
      'closed-after-each-response': { transport: { closes: true } },
      'closed-when-idle': { transport: { idleMs: 10 } },
    },
  },
  'http.pieces': {
    description: 'The sizes in which bodies arrive.',
    legal: 'the specification says nothing of chunks; HTTP may split a body between any two bytes',
    values: { small: { transport: { pieces: true } } },
  },
  'http.rate-limit': {
    description: 'Whether requests are refused because there are too many.',
    legal: 'limits.rate, export.limits.rate: rate limits are not shown',
    values: {
      'retry-after-0': { wrap: refuseEvery(9, () => ({ 'retry-after': '0' })) },
      'retry-after-date': {
        wrap: refuseEvery(31, () => ({ 'retry-after': new Date(Date.now() + 500).toUTCString() })),
      },
      'no-retry-after': { wrap: refuseEvery(61, () => ({})) },
      '503-retry-after': { wrap: refuseEvery(31, () => ({ 'retry-after': '0' }), 503) },
      '100-a-second': { wrap: limitRate(100) },
    },
  },
  'http.coding': {
    description: 'The coding of bodies.',
    legal: 'RFC 9110, 12.5.3: a request without Accept-Encoding accepts any coding',
    values: {
      gzip: {
        wrap: compress(
          'gzip',
          (body) => gzipSync(body, fastGzip),
          () => createGzip({ ...fastGzip, flush: constants.Z_SYNC_FLUSH }),
        ),
      },
      br: {
        wrap: compress(
          'br',
          (body) => brotliCompressSync(body, fastBrotli),
          () => createBrotliCompress({ ...fastBrotli, flush: constants.BROTLI_OPERATION_FLUSH }),
        ),
      },
      zstd: {
        wrap: compress(
          'zstd',
          (body) => zstdCompressSync(body),
          () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
        ),
      },
    },
  },
})

/** The default takes milliseconds and megabytes for each body. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 12 } }
const fastGzip = { level: 1, windowBits: 10 }

function upTo(ms: number): () => number {
  const random = seededRandom(ms)
  return () => random() * ms
}

/** Delays every response. */
export function delay(ms: () => number): Wrap {
  return (fetch) => async (request) => {
    await setTimeout(ms())
    return fetch(request)
  }
}

/** Compresses bodies. Each event of a stream is sent at once. */
function compress(
  coding: string,
  compressed: (body: Uint8Array) => Uint8Array<ArrayBuffer>,
  createStream: () => Duplex,
): Wrap {
  const headers = { 'content-encoding': coding }
  return responses(async (response) => {
    if (response.body === null) return response
    if (!isStream(response)) return replace(response, { body: compressed(await response.bytes()), headers })
    const { readable, writable } = Duplex.toWeb(createStream())
    response.body.pipeTo(writable).catch(() => undefined)
    return replace(response, { body: readable as ReadableStream<Uint8Array>, headers })
  })
}

/** Refuses requests beyond a number in each second. */
function limitRate(perSecond: number): Wrap {
  return (fetch) => {
    let [requests, startedAt] = [0, 0]
    return async (request) => {
      const now = performance.now()
      if (now - startedAt > 1000) [requests, startedAt] = [0, now]
      requests += 1
      return requests > perSecond ? tooMany({}) : fetch(request)
    }
  }
}

function tooMany(headers: Readonly<Record<string, string>>, status = 429): Response {
  return new Response('slow down', { status, headers })
}

/** Refuses one request in this many. */
function refuseEvery(count: number, headers: () => Readonly<Record<string, string>>, status = 429): Wrap {
  return (fetch) => {
    let requests = 0
    return async (request) => {
      requests += 1
      return requests % count === 0 ? tooMany(headers(), status) : fetch(request)
    }
  }
}
