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
} from './entries.ts'
import { traceVersion } from './entries.ts'

/** An observation without its scenario and times. */
type Described = Observation extends infer Each ? Omit<Each, 'scenario' | 'startedAt' | 'at'> : never

/** A request as the client sends it. */
type SentRequest = Omit<TracedRequest, 'type' | 'id' | 'scenario' | 'intent' | 'at'> & {
  /** @default the intent of the scenario */
  readonly intent?: Intent
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
  /** Why it sends requests, unless a request says otherwise. */
  readonly intent: Intent
  /** Id of the exchange that ended last. */
  readonly lastExchange: number | undefined
  exchange(request: SentRequest): ExchangeTrace
  /** Performs an action, then writes what it showed. */
  observe<T>(action: () => Promise<T>, describe: (result: T) => Described): Promise<T>
  /** Writes what the scenario reports of a requirement. */
  outcome(outcome: Omit<TracedOutcome, 'type' | 'scenario' | 'at'>): void
}

/** Replaces secrets in texts and headers. */
export interface Redaction {
  text(text: string): string
  headers(headers: Readonly<Record<string, string>>): Record<string, string>
}

/** Everything that a test run sends and receives, in order, without secrets. */
export interface Trace {
  /** Passes each entry to `output` when it happens; first the start and the endpoints that are known. */
  follow(output: (entry: TraceEntry) => void): void
  endpoint(endpoint: TracedEndpoint): void
  /** Starts a scenario; `intent` is that of its exchanges unless one has its own. */
  scenario(scenario: Omit<TracedScenario, 'id' | 'at'>, redaction: Redaction, intent: Intent): ScenarioTrace
  /** Ends a repeat: all of its scenarios have ended. */
  endRound(round: number): void
  finish(finish: Omit<TraceFinish, 'at'>): void
}

/** What the start of a trace says of the test run. */
export type RunDescription = Omit<TraceStart, 'type' | 'version' | 'startedAt'>

/** A test run of a target that has no name. */
const undescribed: RunDescription = {
  suite: { version: '', catalogHash: '', seed: '' },
  target: { name: 'target' },
  repeat: 1,
  accept: {},
  baseline: {},
}

/**
 * Creates a trace. `now` returns milliseconds.
 *
 * @example
 * const trace = createTrace()
 * trace.follow((entry) => file.write(`${JSON.stringify(entry)}\n`))
 */
export function createTrace(
  description: RunDescription = undescribed,
  now: () => number = performance.now.bind(performance),
): Trace {
  const startedAt = now()
  const at = () => Math.round((now() - startedAt) * 10) / 10
  let finished = false
  const header: TraceEntry[] = [
    { type: 'trace', version: traceVersion, ...description, startedAt: new Date().toISOString() },
  ]
  const outputs: ((entry: TraceEntry) => void)[] = []
  const write = (entry: TraceEntry) => {
    // What scenarios do that were left behind is not part of the test run.
    if (finished) return
    if (entry.type === 'endpoint') header.push(entry)
    for (const output of outputs) output(entry)
  }
  let scenarios = 0
  let exchanges = 0
  return {
    follow(output) {
      for (const entry of header) output(entry)
      outputs.push(output)
    },
    endpoint: (endpoint) => write({ type: 'endpoint', ...endpoint }),
    scenario(described, redaction, intent) {
      const scenario = ++scenarios
      write({ type: 'scenario', id: scenario, ...described, at: at() })
      let lastExchange: number | undefined
      const onEnd = (exchange: number) => {
        lastExchange = exchange
      }
      const redacted = <T>(value: T): T => {
        const json = JSON.stringify(value)
        const text = redaction.text(json)
        // Most observations contain no secret, and parsing the rows of a file takes long.
        return text === json ? value : JSON.parse(text)
      }
      return {
        intent,
        get lastExchange() {
          return lastExchange
        },
        exchange: (request) => exchange(scenario, { intent, ...request }, redaction, onEnd),
        async observe(action, describe) {
          const startedAt = at()
          const result = await action()
          const described = describe(result)
          // A spread of the union of all observations loses which one it is.
          write({ ...redacted(described), type: described.type, scenario, startedAt, at: at() } as Observation)
          return result
        },
        outcome(outcome) {
          // A secret may be a word in the id of a requirement.
          const { requirement, verdict, blockedBy } = outcome
          const ids = { requirement, verdict, ...(blockedBy === undefined ? {} : { blockedBy }) }
          write({ type: 'outcome', scenario, ...redacted(outcome), ...ids, at: at() })
        },
      }
    },
    endRound: (round) => write({ type: 'round-end', round, at: at() }),
    finish(finish) {
      write({ type: 'finish', ...finish, at: at() })
      finished = true
    },
  }

  function exchange(
    scenario: number,
    request: SentRequest & { readonly intent: Intent },
    redaction: Redaction,
    onEnd: (exchange: number) => void,
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
        onEnd(id)
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
