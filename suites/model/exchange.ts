import type { StreamEvent } from '../../reporters/model/report.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type {
  Fate,
  Intent,
  Observation,
  TracedEndpoint,
  TracedOutcome,
  TracedRequest,
  TracedScenario,
  TraceEntry,
  TraceFinish,
  TraceStart,
} from '../trace/entries.ts'
import { parseJson, textsIn } from '../values/json.ts'
import { createStreamEvents } from '../values/stream-events.ts'
import { callOf, type Operation } from './operations.ts'
import { countWhile } from './sorted.ts'

/** A request and its response, as the trace records them. Times are milliseconds since the trace started. */
export interface Exchange {
  readonly id: number
  /** The scenario that sent it. */
  readonly scenario: TracedScenario
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
  /** Identifies the caller: in an open deployment, requests of one user may have different credentials. */
  readonly caller: string
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

/** Whether a client gave up, because no response, or no more of it, came within its budget. */
export function timedOut({ fate, error = '' }: Pick<Exchange, 'fate' | 'error'>): boolean {
  return (fate === 'lost' || fate === 'broken') && /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(error)
}

/** The time in which an exchange was open, or something else happened. */
export type Period = Pick<Exchange, 'sentAt' | 'endedAt'>

/** Whether two exchanges were open at the same time. */
export function areConcurrent(a: Period, b: Period): boolean {
  return a.sentAt < b.endedAt && b.sentAt < a.endedAt
}

/** Returns a function that finds those of some items that were open at the same time as another one, which may be among them. */
export function concurrencyOf<Item extends Period>(items: readonly Item[]): (period: Period) => readonly Item[] {
  const sorted = items.toSorted((a, b) => a.sentAt - b.sentAt)
  const ended = sorted.filter(({ endedAt }) => endedAt < Infinity)
  const endless = sorted.filter(({ endedAt }) => endedAt === Infinity)
  const latestEnds: number[] = []
  for (const { endedAt } of ended) latestEnds.push(Math.max(endedAt, latestEnds.at(-1) ?? 0))
  return (period) => {
    const from = countWhile(latestEnds, (end) => end <= period.sentAt)
    const to = countWhile(ended, ({ sentAt }) => sentAt < period.endedAt)
    return [...ended.slice(from, to), ...endless].filter((other) => areConcurrent(other, period))
  }
}

/** The exchanges with one endpoint of the target, in the order in which they were sent. */
export interface EndpointLog {
  readonly endpoint: TracedEndpoint
  readonly exchanges: readonly Exchange[]
  /** What the bucket and the driver showed, in order. */
  readonly observations: readonly Observation[]
  readonly scenarios: readonly TracedScenario[]
  /** What scenarios reported, in order. */
  readonly outcomes: readonly TracedOutcome[]
}

/** The logs of one repeat of a test run, by the name of the endpoint. */
export type RoundLog = ReadonlyMap<string, EndpointLog>

/** Collects the entries of a trace. */
export interface TraceLog {
  add(entry: TraceEntry): void
  /** Throws if the start was not added. */
  readonly start: TraceStart
  /** Undefined until the test run ends. */
  readonly finish: TraceFinish | undefined
  /** All endpoints by name. */
  readonly endpoints: ReadonlyMap<string, TracedEndpoint>
  /** Repeats that have not ended, by number. */
  readonly rounds: ReadonlyMap<number, RoundLog>
}

/** An endpoint log that grows. */
interface GrowingLog extends EndpointLog {
  readonly exchanges: Recorded[]
  readonly observations: Observation[]
  readonly scenarios: TracedScenario[]
  readonly outcomes: TracedOutcome[]
}

/**
 * Creates an empty log. At the end of a repeat, its logs are passed to `onRound` and no longer kept.
 *
 * @example
 * const log = createTraceLog((round) => evaluateRound(round))
 * await readTrace(text, log.add)
 */
export function createTraceLog(onRound: (round: RoundLog) => void = () => undefined): TraceLog {
  let start: TraceStart | undefined
  let finish: TraceFinish | undefined
  const endpoints = new Map<string, TracedEndpoint>()
  const rounds = new Map<number, Map<string, GrowingLog>>()
  const scenarios = new Map<number, readonly [TracedScenario, GrowingLog]>()
  const open = new Map<number, Recorded>()

  return {
    endpoints,
    rounds,
    get start() {
      if (start === undefined) throw new Error('expected a trace with a start')
      return start
    },
    get finish() {
      return finish
    },
    add(entry) {
      switch (entry.type) {
        case 'trace':
          start = entry
          break
        case 'finish':
          finish = entry
          break
        case 'endpoint':
          endpoints.set(entry.name, entry)
          break
        case 'round-end':
          onRound(rounds.get(entry.round) ?? new Map())
          rounds.delete(entry.round)
          for (const [id, [{ round }]] of scenarios) if (round === entry.round) scenarios.delete(id)
          break
        case 'scenario':
          addScenario(entry)
          break
        case 'head':
        case 'chunk':
        case 'end':
          open.get(entry.id)?.take(entry)
          if (entry.type === 'end') open.delete(entry.id)
          break
        case 'checksum':
          break
        default:
          addOfScenario(entry)
      }
    },
  }

  function addScenario(scenario: TracedScenario): void {
    const endpoint = endpoints.get(scenario.endpoint)
    if (endpoint === undefined) return
    const round = rounds.get(scenario.round) ?? new Map<string, GrowingLog>()
    rounds.set(scenario.round, round)
    const empty = { endpoint, exchanges: [], observations: [], scenarios: [], outcomes: [] }
    const log = round.get(endpoint.name) ?? empty
    round.set(endpoint.name, log)
    log.scenarios.push(scenario)
    scenarios.set(scenario.id, [scenario, log])
  }

  function addOfScenario(entry: Observation | TracedOutcome | TracedRequest): void {
    const [scenario, log] = scenarios.get(entry.scenario) ?? []
    if (scenario === undefined || log === undefined) return
    if (entry.type === 'outcome') log.outcomes.push(entry)
    else if (entry.type === 'request') {
      const exchange = new Recorded(entry, scenario, log.endpoint.url)
      log.exchanges.push(exchange)
      open.set(entry.id, exchange)
    } else log.observations.push(entry)
  }
}

/** Returns the body of a response, followed by the strings in its JSON, in which nothing is escaped. */
export function contentOf({ text, json, events }: Exchange): string {
  return [text, ...textsIn(json), ...events.flatMap(({ data }) => textsIn(parseJson(data)))].join('\n')
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
  #caller: string | undefined
  // In arrays, so that undefined can be memoized.
  #request: readonly [unknown] | undefined
  #json: readonly [unknown] | undefined
  #events: readonly StreamEvent[] | undefined

  constructor(entry: TracedRequest, scenario: TracedScenario, baseUrl: string) {
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

  get caller(): string {
    if (this.#caller === undefined) {
      const { 'content-type': _, ...headers } = this.requestHeaders
      this.#caller = JSON.stringify([this.user, headers])
    }
    return this.#caller
  }

  get text(): string {
    return this.#chunks.map(({ text }) => text).join('')
  }

  get request(): unknown {
    this.#request ??= [parseJson(this.requestText ?? '')]
    return this.#request[0]
  }

  get json(): unknown {
    if (this.fate === undefined) return undefined
    this.#json ??= [parseJson(this.text)]
    return this.#json[0]
  }

  get events(): readonly StreamEvent[] {
    if (this.fate === undefined) return this.#parseEvents()
    this.#events ??= this.#parseEvents()
    return this.#events
  }

  #parseEvents(): readonly StreamEvent[] {
    if (!/^text\/event-stream\b/i.test(this.headers['content-type'] ?? '')) return []
    const stream = createStreamEvents()
    for (const { text, at } of this.#chunks) stream.feed(text, at - this.sentAt)
    return stream.events
  }
}
