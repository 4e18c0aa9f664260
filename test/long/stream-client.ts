import { createParser } from 'eventsource-parser'
import type { Dispatcher, Pool } from 'undici'

/** Sends a request and returns the JSON of the 2xx response, or undefined without a body. */
export async function requestJson<T>(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  body?: unknown,
): Promise<T> {
  const { statusCode, body: response } = await send(pool, method, path, body)
  const text = await response.text()
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Opens an event stream and disconnects after its first chunk. */
export async function readFirstChunk(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  body?: unknown,
): Promise<void> {
  const controller = new AbortController()
  const response = await send(pool, method, path, body, controller.signal)
  if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode}`)
  for await (const _piece of response.body) break
  controller.abort()
}

/** Reads a stream to its end, or until it has received `count` events with this name. Returns the data of these events. */
export async function read(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  event: string,
  body?: unknown,
  count: number = Infinity,
): Promise<unknown[]> {
  const { statusCode, body: response } = await send(pool, method, path, body)
  if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${await response.text()}`)
  const events: unknown[] = []
  const parser = createParser({
    onEvent: (message) => {
      if (message.event === event) events.push(JSON.parse(message.data))
    },
  })
  const decoder = new TextDecoder()
  for await (const piece of response) {
    parser.feed(decoder.decode(piece as Uint8Array, { stream: true }))
    if (events.length >= count) break
  }
  return events
}

function send(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return pool.request({
    method,
    path,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal !== undefined && { signal }),
  })
}
