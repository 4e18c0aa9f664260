import { stringify } from 'node:querystring'
import type { Dispatcher } from 'undici'

/** Returns the URL of a request. Throws a TypeError for one without an origin. */
export function addressOf({ origin, path, query }: Dispatcher.DispatchOptions): string {
  if (origin === undefined) throw new TypeError(`The request for ${path} has no origin`)
  const parameters = query === undefined ? '' : stringify(query)
  return `${new URL(origin).origin}${path}${parameters === '' ? '' : `?${parameters}`}`
}

/** The receiver of a response. */
export interface Receiver {
  /** Aborted when it no longer needs the response. */
  readonly signal: AbortSignal
  abort(reason: Error): void
}

/** Returns a request for the mock. Its body is streamed. A body that fails ends the exchange. */
export function requestOf(address: string, options: Dispatcher.DispatchOptions, receiver: Receiver): Request {
  const { method, body } = options
  const init: RequestInit = { method, headers: headersOf(options.headers), signal: receiver.signal }
  if (body === null || body === undefined) return new Request(address, init)
  if (typeof body === 'string' || body instanceof Uint8Array || !(Symbol.asyncIterator in body)) {
    return new Request(address, { ...init, body: body as FormData })
  }
  return new Request(address, { ...init, body: ReadableStream.from(bytesOf(body, receiver)), duplex: 'half' })
}

async function* bytesOf(body: AsyncIterable<string | Uint8Array>, receiver: Receiver): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  try {
    for await (const part of body) yield typeof part === 'string' ? encoder.encode(part) : part
  } catch (error) {
    receiver.abort(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** Reads headers in any form of undici: a record, pairs, or alternating names and values. */
function headersOf(input: Dispatcher.DispatchOptions['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of pairsOf(input ?? {})) {
    for (const item of [value ?? []].flat()) headers.append(name, String(item))
  }
  return headers
}

type HeadersInput = NonNullable<Dispatcher.DispatchOptions['headers']>

function pairsOf(
  input: HeadersInput,
): Iterable<[name: string, value: string | number | readonly string[] | undefined]> {
  if (Array.isArray(input)) {
    return Array.from({ length: input.length / 2 }, (_, pair) => [input[2 * pair] ?? '', input[2 * pair + 1]])
  }
  return Symbol.iterator in input ? input : Object.entries(input)
}
