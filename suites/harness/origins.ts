import type { Evidence } from '../../reporters/model/report.ts'
import { parsed, textAt } from './json.ts'

/** A request before it is redacted. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly streams?: boolean
}

/** What came back, before it is redacted. */
export interface ReceivedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly error?: string
}

/** One exchange; `startedAt` is a time of `performance.now()`. */
export interface Seen {
  readonly sent: SentRequest
  readonly at: Date
  readonly startedAt: number
  durationMs: number
  answer: ReceivedAnswer
}

/** Tells where the ids that a check uses come from: another check of the same session may have made them. */
export interface Origins {
  /** Notes an exchange once it is answered, and what its answer became. */
  note(exchange: Seen, became?: object): void
  /** The exchange whose answer became something. */
  exchangeOf(answer: object): Seen | undefined
  /**
   * The exchanges of any check that made what these exchanges name, and what was done to it before, oldest first. Those
   * given are not among them.
   */
  of(exchanges: readonly Seen[]): readonly Seen[]
  /** The exchange that made an id, or told of it first, whichever check sent it, and then what was done to that. */
  history(id: string): readonly Seen[]
  /** The last exchange of any history that a test lets through. */
  findLast(test: (exchange: Seen) => boolean): Seen | undefined
  /** Keeps what was seen when something failed that several checks wait for; the first time counts. */
  noteFailure(error: Error, evidence: Evidence): void
  /** What was seen when it failed. */
  failure(error: unknown): Evidence | undefined
}

/** Requests that make something, with the key of its id in the answer. */
const making: readonly (readonly [RegExp, string])[] = [
  [/\/threads$/, 'thread_id'],
  [/\/assistants$/, 'assistant_id'],
  [/\/runs(\/stream)?$/, 'run_id'],
  [/\/bulk-exports(\/destinations)?$/, 'id'],
]

/** The address of one export. */
const readExport = /\/bulk-exports\/([\w-]{8,})$/

/** Most exchanges that are told of a check's past, the oldest first: they made what the others used. */
const toldAtMost = 12

/** Remembers what the checks of one session made. */
export function createOrigins(): Origins {
  const made = new Map<string, Seen[]>()
  const failures = new WeakMap<Error, Evidence>()
  const answers = new WeakMap<object, Seen>()
  return {
    exchangeOf: (answer) => answers.get(answer),
    note(exchange, became) {
      if (became !== undefined) answers.set(became, exchange)
      if (!isAccepted(exchange)) return
      const id = madeBy(exchange)
      if (id !== undefined && !made.has(id)) made.set(id, [exchange])
      // What a schedule spawned was made by no request: its first answer stands for that.
      const spawned = readExport.exec(exchange.sent.url)?.[1]
      if (exchange.sent.method === 'GET' && spawned !== undefined && !made.has(spawned)) made.set(spawned, [exchange])
      for (const named of namedIn(exchange.sent.url)) {
        const history = made.get(named)
        if (history === undefined || history.includes(exchange) || !matters(exchange)) continue
        const earlier = history.findIndex((one) => one.sent.method === 'GET' && one.sent.url === exchange.sent.url)
        if (exchange.sent.method === 'GET' && earlier >= 0) history[earlier] = exchange
        else history.push(exchange)
      }
    },
    noteFailure(error, evidence) {
      if (!failures.has(error)) failures.set(error, evidence)
    },
    failure: (error) => (error instanceof Error ? failures.get(error) : undefined),
    history: (id) => made.get(id) ?? [],
    findLast: (test) => [...made.values()].flat().findLast(test),
    of(exchanges) {
      const found = new Set<Seen>()
      const given = new Set(exchanges)
      const look = (user: Seen) => {
        for (const id of namedIn(`${user.sent.url} ${user.sent.body ?? ''}`)) {
          const history = made.get(id) ?? []
          // Where the check itself made it, what others did to it is of no interest.
          if (history[0] !== undefined && given.has(history[0])) continue
          for (const one of history) {
            if (given.has(one) || found.has(one) || one.startedAt >= user.startedAt) continue
            found.add(one)
            look(one)
          }
        }
      }
      for (const exchange of exchanges) look(exchange)
      return [...found].sort((a, b) => a.startedAt - b.startedAt).slice(0, toldAtMost)
    },
  }
}

function isAccepted({ answer: { status } }: Seen): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function madeBy({ sent, answer }: Seen): string | undefined {
  if (sent.method !== 'POST' || answer.body === undefined) return undefined
  const path = sent.url.replace(/\?.*$/, '')
  const key = making.find(([form]) => form.test(path))?.[1]
  if (key === undefined) return undefined
  // An object inside the answer may have a key of that name, too; an answer that is no JSON is a stream.
  const whole = parsed(answer.body)
  return whole === undefined ? new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]+)"`).exec(answer.body)?.[1] : textAt(whole, key)
}

/** Whether an exchange changes something, or waits for a run or an export: else reading does nothing to what is read. */
function matters({ sent }: Seen): boolean {
  return sent.method !== 'GET' || /\/runs\/[^/]+(\/join)?$|\/bulk-exports\/[^/]+(\/runs)?$/.test(sent.url)
}

/** Everything in a text that may be an id. */
function namedIn(text: string): readonly string[] {
  return [...new Set(text.match(/[\w-]{8,}/g) ?? [])]
}
