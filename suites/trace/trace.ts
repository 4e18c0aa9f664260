import type { Fate, Intent, Observation, TracedEndpoint, TraceEntry } from './entries.ts'

/** An observation without its scenario and times. */
type Described = Observation extends infer Each ? Omit<Each, 'scenario' | 'startedAt' | 'at'> : never

/** A request as the client sends it. */
interface TracedRequest {
  readonly user: string
  /** @default the intent of the scenario */
  readonly intent?: Intent
  /** With the intent `fault`: id of the accepted request without the fault. */
  readonly control?: number
  /** Id of the requirement that the server accepts, or refuses, the request. */
  readonly requirement?: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Writes one exchange. */
interface ExchangeTrace {
  readonly id: number
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** Writes a part of an event stream. */
  chunk(text: string): void
  /** Writes the end once; later calls are ignored. */
  end(fate: Fate, rest?: { readonly body?: string; readonly error?: string }): void
}

/** Writes the exchanges and observations of one scenario. */
export interface ScenarioTrace {
  exchange(request: TracedRequest): ExchangeTrace
  /** Performs an action, then writes what it showed. */
  observe<T>(action: () => Promise<T>, describe: (result: T) => Described): Promise<T>
}

/** Replaces secrets in texts and headers. */
export interface Redaction {
  text(text: string): string
  headers(headers: Readonly<Record<string, string>>): Record<string, string>
}

/** Everything that a test run sends and receives, in order, without secrets. */
export interface Trace {
  endpoint(endpoint: TracedEndpoint): void
  /** Starts a scenario; `intent` is that of its exchanges unless one has its own. */
  scenario(endpoint: string, title: string, redaction: Redaction, intent: Intent): ScenarioTrace
}

/**
 * Creates a trace that passes each entry to `write` when it happens.
 *
 * @example
 * const trace = createTrace((entry) => file.write(`${JSON.stringify(entry)}\n`), () => performance.now())
 */
export function createTrace(write: (entry: TraceEntry) => void, now: () => number): Trace {
  const startedAt = now()
  const at = () => Math.round((now() - startedAt) * 10) / 10
  let scenarios = 0
  let exchanges = 0
  return {
    endpoint: (endpoint) => write({ type: 'endpoint', ...endpoint }),
    scenario(endpoint, title, redaction, intent) {
      const scenario = ++scenarios
      write({ type: 'scenario', id: scenario, endpoint, title, at: at() })
      return {
        exchange: (request) => exchange(scenario, { intent, ...request }, redaction),
        async observe(action, describe) {
          const from = at()
          const result = await action()
          const described = JSON.parse(redaction.text(JSON.stringify(describe(result))))
          write({ ...described, scenario, startedAt: from, at: at() })
          return result
        },
      }
    },
  }

  function exchange(
    scenario: number,
    request: TracedRequest & { readonly intent: Intent },
    redaction: Redaction,
  ): ExchangeTrace {
    const id = ++exchanges
    let ended = false
    // A secret may arrive in two parts: an unfinished line is held back until it is whole.
    let unfinished = ''
    const writeChunk = (text: string) =>
      text !== '' && write({ type: 'chunk', id, text: redaction.text(text), at: at() })
    const { url, headers, body, ...rest } = request
    write({
      type: 'request',
      id,
      scenario,
      ...rest,
      url: redaction.text(url),
      headers: redaction.headers(headers),
      ...(body === undefined ? {} : { body: redaction.text(body) }),
      at: at(),
    })
    return {
      id,
      head: (status, received) => write({ type: 'head', id, status, headers: redaction.headers(received), at: at() }),
      chunk(text) {
        const received = unfinished + text
        const end = Math.max(received.lastIndexOf('\n'), received.lastIndexOf('\r')) + 1
        unfinished = received.slice(end)
        writeChunk(received.slice(0, end))
      },
      end(fate, { body: text, error } = {}) {
        if (ended) return
        ended = true
        writeChunk(unfinished)
        write({
          type: 'end',
          id,
          fate,
          ...(text === undefined ? {} : { body: redaction.text(text) }),
          ...(error === undefined ? {} : { error: redaction.text(error) }),
          at: at(),
        })
      },
    }
  }
}
