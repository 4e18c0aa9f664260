import { createParser } from 'eventsource-parser'
import type { Dispatcher, Pool } from 'undici'

/** The JSON of an answer that has to be 2xx; undefined where it has no body. */
export async function ask<T>(pool: Pool, method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<T> {
  const { statusCode, body: answer } = await send(pool, method, path, body)
  const text = await answer.text()
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Reads an event stream and goes away after its first piece. */
export async function glance(pool: Pool, method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<void> {
  const leaving = new AbortController()
  const answer = await send(pool, method, path, body, leaving.signal)
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode}`)
  for await (const _piece of answer.body) break
  leaving.abort()
}

/** The data of every event of a stream that has this name. */
export async function read(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  event: string,
  body?: unknown,
): Promise<unknown[]> {
  const { statusCode, body: answer } = await send(pool, method, path, body)
  if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${await answer.text()}`)
  const found: unknown[] = []
  const parser = createParser({
    onEvent: (message) => {
      if (message.event === event) found.push(JSON.parse(message.data))
    },
  })
  const decoder = new TextDecoder()
  for await (const piece of answer) parser.feed(decoder.decode(piece as Uint8Array, { stream: true }))
  return found
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
