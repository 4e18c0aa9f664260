import { Readable } from 'node:stream'
import { type Dispatcher, request as send } from 'undici'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Intent } from '../trace/entries.ts'
import type { ScenarioTrace } from '../trace/trace.ts'
import { parseJson } from '../values/json.ts'
import { isRateLimit } from '../values/rate-limit.ts'
import { retryPauseMs } from './back-off.ts'
import { createConnections } from './connections.ts'
import { decodedBody, decodedText } from './content-coding.ts'
import { Inconclusive, isTimeout, NoResponse, reasonOf } from './errors.ts'
import { type EventStream, readEvents } from './event-stream.ts'
import type { TargetEndpoint } from './manifest.ts'
import type { Spacing } from './spacing.ts'

/** Request to the target. A string body is sent unchanged, any other value as JSON. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Headers in addition to those of the endpoint; `null` removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Requirement that the target accepts the request; with the intent `fault`, that it refuses the request. */
  readonly requirement?: RequirementId
  /** Does not repeat the request if no response arrives, or while the target allows no more exports. */
  readonly sendOnce?: true
  /** Longest time that a conforming server takes to respond or to send the next event, in milliseconds. @default 0 */
  readonly takesMs?: number
  /** @default the intent of the scenario */
  readonly intent?: Intent
  /** With the intent `fault`: id of the exchange of the accepted request without the fault. */
  readonly control?: number
}

/** Complete response. */
export interface ApiResponse {
  readonly status: number
  readonly ok: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Body as JSON; undefined if it is not valid JSON. */
  readonly json: unknown
  /** Id of the exchange in the trace. */
  readonly exchange?: number
}

/** HTTP client of one endpoint as one user. */
export interface Http {
  /** Name of the user or caller who sends the requests. */
  readonly user: string
  /** Why it sends requests, unless a request says otherwise. */
  readonly intent: Intent
  send(request: ApiRequest): Promise<ApiResponse>
  /** Sends a request and returns the event stream in the response. */
  stream(request: ApiRequest): Promise<EventStream>
  /** Sends a request, waits for the response for at most so many milliseconds, and closes the connection. */
  abandon(request: ApiRequest, waitMs: number): Promise<void>
}

/** Options of an HTTP client. */
export interface HttpOptions {
  readonly session: {
    readonly endpoint: Pick<TargetEndpoint, 'url'>
    readonly dispatcher: Dispatcher
    readonly spacing: Spacing
  }
  readonly headers: Readonly<Record<string, string>>
  /** Records the exchanges; undefined outside of scenarios. */
  readonly trace?: ScenarioTrace | undefined
  /** Name of the user or caller who sends the requests. */
  readonly user: string
  /** @default the intent of the scenario */
  readonly intent?: Intent
  /** Returns the longest wait for the head of a response, or the next part of its body, in milliseconds. */
  readonly timeoutMs: (path: string) => number
}

/** Maximum number of repetitions after 429 responses without `Retry-After`, in about seven seconds. */
const maxPlainRetries = 10
/** Longest total wait for `Retry-After` of refusals, in milliseconds: rate limits last minutes. */
const maxRetryMs = 600_000
/** Maximum number of repetitions after responses with `Retry-After: 0`. */
const maxInstantRetries = 60

/** Creates an HTTP client that records its exchanges. It repeats requests after 429 responses, which decide nothing. */
export function createHttp(options: HttpOptions): Http {
  const { endpoint, dispatcher, spacing } = options.session
  const usualIntent = options.intent ?? options.trace?.intent ?? 'documented'
  const lost = (what: string, error: unknown, exchange?: number): NoResponse =>
    new NoResponse(`${what}: ${reasonOf(error)}`, error, exchange)
  // Some servers cache the headers of a connection, and find those of a later request without regard to case (Jetty 12).
  const isProbeWithHeaders = ({ headers, intent = usualIntent }: ApiRequest) =>
    headers !== undefined && intent === 'probe'
  const open = (api: ApiRequest) => {
    const url = `${endpoint.url.replace(/\/+$/, '')}${api.path}`
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
        dispatcher: isProbeWithHeaders(api) ? createConnections() : dispatcher,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      })
      traced?.head(response.statusCode, flat(response.headers))
      return { response, traced, started }
    } catch (error) {
      traced?.end('lost', { error: reasonOf(error) })
      throw lost(`no response to ${api.method} ${api.path}`, error, traced?.id)
    }
  }
  const sendWithinRateLimit = async (api: ApiRequest) => {
    for (let tried = 0, waited = 0; ; tried++) {
      const sentAt = await spacing.untilTurn()
      const sent = await attempt(api)
      const { response } = sent
      if (!isRateLimit(response.statusCode, response.headers)) {
        spacing.accepted()
        return sent
      }
      const retryMs = retryAfter(response)
      if (retryMs === undefined) spacing.refused(sentAt)
      if (retryMs === undefined && tried >= maxPlainRetries) return sent
      const wait = Math.max(retryMs ?? 0, retryPauseMs(tried + 1))
      await response.body.dump()
      sent.traced?.end('answered')
      waited += wait
      if (waited > maxRetryMs || (retryMs === 0 && tried >= maxInstantRetries))
        throw limited(api, response.statusCode, wait, waited - wait)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  const sendAndRead = async (api: ApiRequest): Promise<ApiResponse> => {
    const { response, traced } = await sendWithinRateLimit(api)
    const head = { status: response.statusCode, headers: flat(response.headers) }
    try {
      const body = await decodedText(response)
      const ok = response.statusCode >= 200 && response.statusCode < 300
      traced?.end('answered', { body })
      return { ...head, ok, text: body, json: parseJson(body), ...(traced && { exchange: traced.id }) }
    } catch (error) {
      traced?.end('broken', { error: reasonOf(error) })
      throw lost(`the response to ${api.method} ${api.path} was cut off`, error, traced?.id)
    }
  }
  return {
    user: options.user,
    intent: usualIntent,
    send: (api) => retryGet(api, () => sendAndRead(api)),
    async stream(api) {
      const { response, traced, started } = await sendWithinRateLimit(api)
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
    async abandon(api, waitMs) {
      for (let tried = 1; ; tried++) {
        const sentAt = await spacing.untilTurn()
        const { url, body = '', headers, traced } = open(api)
        const leaving = new AbortController()
        // Continues when the connection has read the body.
        async function* sent() {
          yield Buffer.from(body)
          setTimeout(() => leaving.abort(), waitMs)
        }
        const response = await send(url, {
          method: api.method,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          body: Readable.from(sent()),
          dispatcher,
          signal: leaving.signal,
        }).catch(() => undefined)
        const isLimited =
          response !== undefined && isRateLimit(response.statusCode, response.headers) && tried <= maxPlainRetries
        if (isLimited) traced?.head(response.statusCode, flat(response.headers))
        leaving.abort()
        traced?.end(isLimited ? 'answered' : 'left')
        if (!isLimited) return
        const retryMs = retryAfter(response)
        if (retryMs === undefined) spacing.refused(sentAt)
        await new Promise((resolve) => setTimeout(resolve, Math.max(retryMs ?? 0, retryPauseMs(tried))))
      }
    },
  }
}

/** Pauses before a request is repeated, in milliseconds. */
const pausesMs = [100, 1000] as const

/**
 * Repeats a GET without a response, because a connection may break by chance. Requests with other methods are not repeated,
 * because they may have changed something.
 */
async function retryGet({ method, sendOnce }: ApiRequest, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  if (method !== 'GET' || sendOnce) return send()
  for (const pause of pausesMs) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      // Timeouts take long: one repetition is enough.
      if (isTimeout(error) && pause !== pausesMs[0]) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return send()
}

/** Reports show invisible characters as escapes. In a body they are escapes of JSON, so that it can be copied from there. */
const invisible = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu

function jsonBody(body: unknown): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(body).replaceAll(invisible, toEscape)
}

function encode(api: ApiRequest, base: Readonly<Record<string, string>>) {
  const body = api.body === undefined || typeof api.body === 'string' ? api.body : jsonBody(api.body)
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

/** Wait in the `Retry-After` header, seconds or a date, in milliseconds; undefined if there is none. */
function retryAfter({ headers }: Dispatcher.ResponseData): number | undefined {
  const text = [headers['retry-after']].flat()[0]
  if (text === undefined) return undefined
  // The clock of the server may differ from that of this machine.
  const now = Date.parse([headers['date']].flat()[0] ?? '') || Date.now()
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

function limited({ method, path }: ApiRequest, status: number, waitMs: number, waitedMs: number): Inconclusive {
  const [wait, waited] = [waitMs, waitedMs].map((ms) => `${Math.ceil(ms / 1000)} s`)
  return new Inconclusive(
    `the target refuses requests for a time: ${method} ${path} returned ${status} with ${wait} to wait, after waits of ${waited}`,
    'raise the rate limit of the target, or reduce concurrency or limits.exports',
  )
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
