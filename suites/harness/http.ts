import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { type Dispatcher, request as send } from 'undici'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Intent } from '../trace/entries.ts'
import type { ScenarioTrace } from '../trace/trace.ts'
import { decodedBody } from './content-coding.ts'
import { Inconclusive, NoResponse } from './errors.ts'
import { type EventStream, readEvents } from './event-stream.ts'
import { parseJson } from './json.ts'
import { retryGet } from './retry-get.ts'

/** A request to the target. A body that is a string is sent as it is, any other value as JSON. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Added to the endpoint's headers; `null` takes a header away. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The requirement that the target accepts the request; with the intent `fault`, that it refuses the request. */
  readonly requirement?: RequirementId
  /** Never sends the request again, also if no response arrives. */
  readonly sendOnce?: true
  /** How long a conforming server takes to respond, or is silent within a stream, in milliseconds. @default 0 */
  readonly takesMs?: number
  /** @default the intent of the scenario */
  readonly intent?: Intent
  /** With the intent `fault`: the exchange of the accepted request without the fault. */
  readonly control?: number
}

/** A whole response. */
export interface ApiResponse {
  readonly status: number
  readonly ok: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown
  /** Id of the exchange in the trace. */
  readonly exchange?: number
}

/** Sends requests to one endpoint as one user. */
export interface Http {
  send(request: ApiRequest): Promise<ApiResponse>
  /** Sends a request whose response is read event by event. */
  stream(request: ApiRequest): Promise<EventStream>
  /** Sends a request and closes the connection without waiting for the response. */
  leave(request: ApiRequest): Promise<void>
}

/** What an HTTP client needs. */
export interface HttpOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  /** Records the exchanges; undefined outside of scenarios. */
  readonly trace?: ScenarioTrace | undefined
  /** Name of the user or caller who sends the requests. */
  readonly user: string
  /** @default the intent of the scenario */
  readonly intent?: Intent
  /** Longest wait for a response's head or for the next part of its body, in milliseconds. */
  readonly timeoutMs: (path: string) => number
}

/** How often a 429 that names no time is waited for, a second each, before it stands as the response. */
const retries = 5
/** How long in all the times are waited for that responses with 429 name, in milliseconds: minutes, as rate limits have. */
const longestRetryMs = 600_000
/** How often, at most: a target may name no time at all each time. */
const mostRetries = 60

/** Creates a client that records what it sends and sees; 429 with Retry-After is waited for and decides nothing. */
export function createHttp(options: HttpOptions): Http {
  const lost = (what: string, error: unknown, exchange?: number): NoResponse =>
    new NoResponse(`${what}: ${reason(error)}`, error, exchange)
  const open = (api: ApiRequest) => {
    const url = `${options.url.replace(/\/+$/, '')}${api.path}`
    const { body, headers } = encode(api, options.headers)
    const { intent = options.intent, control, requirement } = api
    const traced = options.trace?.exchange({
      user: options.user,
      ...(intent === undefined ? {} : { intent }),
      ...(control === undefined ? {} : { control }),
      ...(requirement === undefined ? {} : { requirement }),
      method: api.method,
      url,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return { url, body, headers, traced }
  }
  const attempt = async (api: ApiRequest) => {
    const { url, body, headers, traced } = open(api)
    const timeout = options.timeoutMs(api.path) + (api.takesMs ?? 0)
    try {
      const started = performance.now()
      const response = await send(url, {
        method: api.method,
        headers,
        body: body ?? null,
        dispatcher: options.dispatcher,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      })
      traced?.head(response.statusCode, flat(response.headers))
      return { response, traced, started }
    } catch (error) {
      traced?.end('lost', { error: reason(error) })
      throw lost(`no response to ${api.method} ${api.path}`, error, traced?.id)
    }
  }
  const patient = async (api: ApiRequest) => {
    for (let tried = 0, waited = 0; ; tried++) {
      const sent = await attempt(api)
      const { response } = sent
      if (response.statusCode !== 429) return sent
      const named = retryAfter(response)
      if (named === undefined && tried >= retries) return sent
      const wait = named ?? 1000
      await response.body.dump()
      sent.traced?.end('answered')
      waited += wait
      if (waited > longestRetryMs || tried >= mostRetries) throw limited(api, wait)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  const whole = async (api: ApiRequest): Promise<ApiResponse> => {
    const { response, traced } = await patient(api)
    const head = { status: response.statusCode, headers: flat(response.headers) }
    try {
      const body = await text(decodedBody(response))
      const ok = response.statusCode >= 200 && response.statusCode < 300
      traced?.end('answered', { body })
      return { ...head, ok, text: body, json: parseJson(body), ...(traced && { exchange: traced.id }) }
    } catch (error) {
      traced?.end('broken', { error: reason(error) })
      throw lost(`the response to ${api.method} ${api.path} was cut off`, error, traced?.id)
    }
  }
  return {
    send: (api) => retryGet(api, () => whole(api)),
    async stream(api) {
      const { response, traced, started } = await patient(api)
      const head = {
        status: response.statusCode,
        headers: flat(response.headers),
        ...(traced && { exchange: traced.id }),
      }
      return readEvents(head, decodedBody(response), started, {
        onChunk: (text) => traced?.chunk(text),
        onEnd: (fate, error) => traced?.end(fate, error === undefined ? {} : { error }),
      })
    },
    async leave(api) {
      const { url, body = '', headers, traced } = open(api)
      const leaving = new AbortController()
      // Goes on when the connection has taken the body.
      async function* sent() {
        yield Buffer.from(body)
        await setImmediate()
        leaving.abort()
      }
      await send(url, {
        method: api.method,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        body: Readable.from(sent()),
        dispatcher: options.dispatcher,
        signal: leaving.signal,
      }).catch(() => undefined)
      traced?.end('left')
    },
  }
}

function encode(api: ApiRequest, base: Readonly<Record<string, string>>) {
  const body = api.body === undefined || typeof api.body === 'string' ? api.body : JSON.stringify(api.body)
  const all: Record<string, string | null> = {
    ...base,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...api.headers,
  }
  const headers = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return { body, headers }
}

/** How long a response asks to wait, in milliseconds: it names seconds or a date. Undefined where it names none. */
function retryAfter({ headers }: Dispatcher.ResponseData): number | undefined {
  const text = [headers['retry-after']].flat()[0]
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

function limited({ method, path }: ApiRequest, waitMs: number): Inconclusive {
  return new Inconclusive(
    `the rate limit of the target was reached: ${method} ${path} returned 429 again, with ${Math.ceil(waitMs / 1000)} s left to wait`,
    'raise the rate limit of the target, or reduce concurrency or limits.exports',
  )
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message}`
}
