import { Buffer } from 'node:buffer'
import { stringify } from 'node:querystring'
import type { Dispatcher } from 'undici'
import { isConnectionReset } from '../../http/handler.ts'

/** One request and its response, reported to an undici handler. */
export class Exchange implements Dispatcher.DispatchController, Receiver {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #abort = new AbortController()
  #resumed = Promise.withResolvers<void>()
  #ended = false
  paused = false
  reason: Error | null = null
  rawHeaders: string[] = []

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  abort(reason: Error): void {
    if (this.#ended) return
    this.reason = reason
    this.#fail(reason)
  }

  pause(): void {
    if (this.paused) return
    this.paused = true
    this.#resumed = Promise.withResolvers()
  }

  resume(): void {
    this.paused = false
    this.#resumed.resolve()
  }

  /** Gets the response and passes it on, as fast as the handler reads it. */
  async run(send: () => Promise<Response>): Promise<void> {
    try {
      this.#handler.onRequestStart?.(this, {})
      if (this.aborted) return
      const response = await send()
      await (this.#ended ? response.body?.cancel() : this.#forward(response))
    } catch (error) {
      // undici reports the socket's error. `fetch` wraps it.
      const thrown = isConnectionReset(error) ? error.cause : error
      this.#fail(thrown instanceof Error ? thrown : new Error(String(thrown)))
    }
  }

  async #forward({ status, statusText, headers, body }: Response): Promise<void> {
    this.rawHeaders = [...headers].flat()
    this.#handler.onRequestSent?.()
    this.#handler.onResponseStarted?.()
    this.#handler.onResponseStart?.(this, status, headersRecord(headers), statusText)
    await body?.pipeTo(new WritableStream({ write: (chunk) => this.#forwardChunk(chunk) }), { signal: this.signal })
    if (this.paused) await this.#resumed.promise
    if (this.#ended) return
    this.#handler.onResponseEnd?.(this, {})
    this.#ended = true
  }

  async #forwardChunk(chunk: Uint8Array): Promise<void> {
    if (this.paused) await this.#resumed.promise
    if (this.#ended) return
    this.#handler.onResponseData?.(this, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }

  #fail(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#abort.abort(error)
    this.resume()
    this.#handler.onResponseError?.(this, error)
  }
}

/** Returns headers as undici does: a repeated field, such as `set-cookie`, is an array. */
function headersRecord(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 && { 'set-cookie': cookies }) }
}

/** Returns the URL of a request. Throws a TypeError for one without an origin. */
export function addressOf({ origin, path, query }: Dispatcher.DispatchOptions): string {
  if (origin === undefined) throw new TypeError(`The request for ${path} has no origin`)
  const parameters = query === undefined ? '' : stringify(query)
  return `${new URL(origin).origin}${path}${parameters === '' ? '' : `?${parameters}`}`
}

/** The receiver of a response. */
interface Receiver {
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
