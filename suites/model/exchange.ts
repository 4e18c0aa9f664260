import { createParser } from 'eventsource-parser'
import type { StreamEvent } from '../../reporters/model/report.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Fate, Intent, Observation, TracedEndpoint, TraceEntry } from '../trace/entries.ts'
import { callOf, type Operation } from './operations.ts'

/** A request and its response, as the trace records them. Times are milliseconds since the trace started. */
export interface Exchange {
  readonly id: number
  /** Title of the scenario that sent it. */
  readonly scenario: string
  readonly user: string
  readonly intent: Intent
  /** With the intent `fault`: id of the accepted exchange without the fault. */
  readonly control: number | undefined
  /** The requirement that the server accepts the request; with the intent `fault`, that it refuses the request. */
  readonly requirement: RequirementId | undefined
  readonly method: string
  readonly url: string
  readonly operation: Operation | undefined
  /** Values of the path parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestText: string | undefined
  /** The request body as JSON; undefined if it is not valid JSON. */
  readonly request: unknown
  readonly sentAt: number
  /** Infinity without a response. */
  readonly headAt: number
  /** Infinity if the response never ended. */
  readonly endedAt: number
  /** When the connection was closed, by the server or by the client. */
  readonly closedAt: number
  /** Undefined while the exchange is open. */
  readonly fate: Fate | undefined
  readonly error: string | undefined
  readonly status: number | undefined
  /** Whether a whole 2xx response arrived. */
  readonly accepted: boolean
  readonly headers: Readonly<Record<string, string>>
  /** The response body as text. */
  readonly text: string
  /** The response body as JSON; undefined if it is not valid JSON. */
  readonly json: unknown
  /** Events of an event stream, empty for other responses. */
  readonly events: readonly StreamEvent[]
}

/** The exchanges with one endpoint of the target, in the order in which they were sent. */
export interface EndpointLog {
  readonly endpoint: TracedEndpoint
  readonly exchanges: readonly Exchange[]
  /** What the bucket and the driver showed, in order. */
  readonly observations: readonly Observation[]
}

/** Collects the entries of a trace into exchanges. */
export interface TraceLog {
  add(entry: TraceEntry): void
  /** The logs of all endpoints by name. */
  readonly endpoints: ReadonlyMap<string, EndpointLog>
}

/**
 * Creates an empty log.
 *
 * @example
 * const log = createTraceLog()
 * for (const entry of readTrace(lines).entries) log.add(entry)
 */
export function createTraceLog(): TraceLog {
  const endpoints = new Map<string, { endpoint: TracedEndpoint; exchanges: Recorded[]; observations: Observation[] }>()
  const scenarios = new Map<number, { endpoint: string; title: string }>()
  const open = new Map<number, Recorded>()
  return {
    endpoints,
    add(entry) {
      if (entry.type === 'endpoint') {
        const { type: _, ...endpoint } = entry
        const { exchanges = [], observations = [] } = endpoints.get(endpoint.name) ?? {}
        endpoints.set(endpoint.name, { endpoint, exchanges, observations })
      } else if (entry.type === 'scenario') {
        scenarios.set(entry.id, entry)
      } else if (entry.type === 'request') {
        const scenario = scenarios.get(entry.scenario)
        const log = scenario && endpoints.get(scenario.endpoint)
        if (scenario === undefined || log === undefined) return
        const exchange = new Recorded(entry, scenario.title, log.endpoint.url)
        log.exchanges.push(exchange)
        open.set(entry.id, exchange)
      } else if (entry.type === 'head' || entry.type === 'chunk' || entry.type === 'end') {
        open.get(entry.id)?.take(entry)
        if (entry.type === 'end') open.delete(entry.id)
      } else if (entry.type !== 'trace') {
        endpoints.get(scenarios.get(entry.scenario)?.endpoint ?? '')?.observations.push(entry)
      }
    },
  }
}

/** Identifies the caller of a request: in an open deployment, requests of one user may have different credentials. */
export function callerOf({ user, requestHeaders: { 'content-type': _, ...headers } }: Exchange): string {
  return JSON.stringify([user, headers])
}

/** An exchange that grows with the entries of the trace. Bodies are parsed when they are first read. */
class Recorded implements Exchange {
  readonly id
  readonly scenario
  readonly user
  readonly intent
  readonly control
  readonly requirement
  readonly method
  readonly url
  readonly operation
  readonly params
  readonly requestHeaders
  readonly requestText
  readonly sentAt
  headAt = Number.POSITIVE_INFINITY
  endedAt = Number.POSITIVE_INFINITY
  closedAt = Number.POSITIVE_INFINITY
  fate: Fate | undefined
  error: string | undefined
  status: number | undefined
  headers: Readonly<Record<string, string>> = {}
  readonly #chunks: { readonly at: number; readonly text: string }[] = []
  #request: Parsed | undefined
  #json: Parsed | undefined
  #events: readonly StreamEvent[] | undefined

  constructor(entry: TraceEntry & { type: 'request' }, scenario: string, baseUrl: string) {
    const path = entry.url.slice(baseUrl.replace(/\/+$/, '').length)
    const call = callOf(entry.method, path)
    this.id = entry.id
    this.scenario = scenario
    this.user = entry.user
    this.intent = entry.intent
    this.control = entry.control
    this.requirement = entry.requirement as RequirementId | undefined
    this.method = entry.method
    this.url = entry.url
    this.operation = call?.operation
    this.params = call?.params ?? {}
    this.requestHeaders = entry.headers
    this.requestText = entry.body
    this.sentAt = entry.at
  }

  take(entry: TraceEntry & { type: 'head' | 'chunk' | 'end' }): void {
    if (entry.type === 'head') {
      this.status = entry.status
      this.headers = entry.headers
      this.headAt = entry.at
    } else if (entry.type === 'chunk') {
      this.#chunks.push(entry)
    } else {
      if (entry.body !== undefined) this.#chunks.push({ at: entry.at, text: entry.body })
      this.fate = entry.fate
      this.error = entry.error
      this.closedAt = entry.at
      if (entry.fate === 'answered' || entry.fate === 'broken') this.endedAt = entry.at
    }
  }

  get accepted(): boolean {
    return this.fate === 'answered' && this.status !== undefined && this.status >= 200 && this.status < 300
  }

  get text(): string {
    return this.#chunks.map(({ text }) => text).join('')
  }

  get request(): unknown {
    this.#request ??= parse(this.requestText ?? '')
    return this.#request.value
  }

  get json(): unknown {
    if (this.fate === undefined) return undefined
    this.#json ??= parse(this.text)
    return this.#json.value
  }

  get events(): readonly StreamEvent[] {
    if (this.fate === undefined) return this.#parseEvents()
    this.#events ??= this.#parseEvents()
    return this.#events
  }

  #parseEvents(): readonly StreamEvent[] {
    if (!/^text\/event-stream\b/i.test(this.headers['content-type'] ?? '')) return []
    const events: StreamEvent[] = []
    let atMs = 0
    const parser = createParser({
      onEvent: ({ event, data, id }) => {
        events.push({ atMs, event: event ?? 'message', data, ...(id === undefined ? {} : { id }) })
      },
    })
    for (const chunk of this.#chunks) {
      atMs = Math.round((chunk.at - this.sentAt) * 10) / 10
      parser.feed(chunk.text)
    }
    return events
  }
}

/** A parsed body, boxed so that undefined can be memoized. */
interface Parsed {
  readonly value: unknown
}

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: undefined }
  }
}
