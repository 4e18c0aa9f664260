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
  /** Notes an exchange once it is answered. */
  note(exchange: Seen): void
  /**
   * The exchanges of any check that made what these exchanges name, and what was done to it before, oldest first. Those
   * given are not among them.
   */
  of(exchanges: readonly Seen[]): readonly Seen[]
}

/** Requests that make something, with the key of its id in the answer. */
const making: readonly (readonly [RegExp, string])[] = [
  [/\/threads$/, 'thread_id'],
  [/\/assistants$/, 'assistant_id'],
  [/\/runs(\/stream)?$/, 'run_id'],
]

/** Most exchanges that are told of a check's past, the oldest first: they made what the others used. */
const toldAtMost = 12

/** Remembers what the checks of one session made. */
export function createOrigins(): Origins {
  const made = new Map<string, Seen[]>()
  return {
    note(exchange) {
      if (!isAccepted(exchange)) return
      const id = madeBy(exchange)
      if (id !== undefined && !made.has(id)) made.set(id, [exchange])
      for (const named of namedIn(exchange.sent.url)) {
        const history = made.get(named)
        if (history === undefined || history.includes(exchange) || !matters(exchange)) continue
        const earlier = history.findIndex((one) => one.sent.method === 'GET' && one.sent.url === exchange.sent.url)
        if (exchange.sent.method === 'GET' && earlier >= 0) history[earlier] = exchange
        else history.push(exchange)
      }
    },
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
  return key === undefined ? undefined : new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]+)"`).exec(answer.body)?.[1]
}

/** Whether an exchange changes something, or waits for a run: reading does nothing to what is read. */
function matters({ sent }: Seen): boolean {
  return sent.method !== 'GET' || /\/runs\/[^/]+(\/join)?$/.test(sent.url)
}

/** Everything in a text that may be an id. */
function namedIn(text: string): readonly string[] {
  return [...new Set(text.match(/[\w-]{8,}/g) ?? [])]
}
