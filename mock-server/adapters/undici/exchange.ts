import { Buffer } from 'node:buffer'
import type { Dispatcher } from 'undici'
import { isConnectionReset } from '../../http/handler.ts'
import type { Receiver } from './request.ts'

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
