import { ApiError } from '../../http/errors.ts'
import type { Connection } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ExpectedCall, VerifyOptions } from '../verify/expected-call.ts'
import { verifyCalls } from '../verify/verify.ts'
import { createCapture } from './capture.ts'
import { type ChangeOptions, type JournalChanges, trackChanges } from './changes.ts'
import type { Entry, Exchange } from './exchange.ts'
import { type CallFilter, checkCall, matcher } from './filter.ts'
import { renderHar } from './har.ts'
import { learnSecrets } from './learn-secrets.ts'
import { createPendingWaits, hasReached, type WaitOptions } from './pending-waits.ts'
import { present, routeOf } from './present.ts'
import { type RecordedExchange, recordExchange } from './record.ts'
import { createRingBuffer, type JournalLimits } from './ring-buffer.ts'
import { type RecordedSession, sessionOf } from './scenario.ts'
import { createSecrets } from './secrets.ts'

/** The requests to a mock server, its deliveries of webhooks, and the responses, without secrets. */
export interface Journal {
  /** Whether the option `journal` is on. If it is off, methods that return exchanges throw. */
  readonly isOn: boolean
  /** Returns the exchanges that match a filter, oldest first. */
  calls(filter?: CallFilter): Exchange[]
  /**
   * Waits until enough exchanges match a filter, and returns them. Earlier exchanges count, too.
   *
   * Rejects after the timeout with the number of matches and the last requests.
   *
   * @example
   * const [call] = await mock.journal.waitFor({ route: 'POST /threads' })
   */
  waitFor(filter: CallFilter, options?: WaitOptions): Promise<Exchange[]>
  /**
   * Checks the requests of clients so far. Deliveries of webhooks do not count.
   *
   * Throws an error with what was expected and received, the nearest request and what differs. Throws a TypeError for invalid
   * arguments, and an ApiError if requests to check were dropped to make room.
   *
   * @example
   * mock.journal.verify({ route: 'POST /threads', body: { metadata: { topic: 'spring' } }, times: 2 })
   */
  verify(calls: ExpectedCall | readonly ExpectedCall[], options?: VerifyOptions): void
  /** Returns the exchanges as HTTP Archive 1.2, the text of a file for the network panel of a browser. */
  har(filter?: CallFilter): string
  /**
   * Returns the exchanges as the recording of a scenario, with which another server responds as this one did. Deliveries of
   * webhooks are left out.
   *
   * @example
   * const { recording } = mock.journal.session()
   * await writeFile('scenario.json', JSON.stringify({ recording }))
   */
  session(filter?: CallFilter): RecordedSession
  /**
   * Resolves with the exchanges that have changed since a revision, 500 at most; -1 is before the first. After `timeoutMs`,
   * resolves without any. Rejects when the signal is aborted, and when the server is closed.
   */
  changes(revision: number, options: ChangeOptions): Promise<JournalChanges>
  /** The number of exchanges that were dropped to make room for later ones. */
  readonly dropped: number
  /** Deletes all exchanges. Ids continue. */
  clear(): void
  /** Redacts a text of four or more characters everywhere, even where no name marks it as a secret. */
  conceal(secret: string): void
}

/** A journal that records exchanges. */
export interface Recorder extends Journal {
  /** Returns a JSON value without the secrets that the journal knows. */
  redact(value: unknown): unknown
  /** Ends all waits for changes. */
  close(): void
  /** Starts to record an exchange, or an attempt to deliver a webhook. */
  begin(request: Request, connection: Connection | undefined, webhook?: Exchange['webhook']): RecordedExchange
}

/** Options of a journal. */
export interface JournalSettings extends JournalLimits {
  readonly clock: Clock
  /** Texts to redact everywhere. */
  readonly secrets: readonly string[]
}

const DEFAULT_TIMEOUT_MS = 5000
const SHOWN_CALLS = 5

/** Creates a journal. Throws a TypeError for invalid limits. */
export function createJournal({ clock, secrets: known, ...limits }: JournalSettings): Recorder {
  const secrets = createSecrets(known)
  const buffer = createRingBuffer(limits)
  const waits = createPendingWaits()
  let lastId = 0
  const tracker = trackChanges(buffer, { secrets, waits, nextId: () => lastId + 1 })

  const show = (entry: Entry): Exchange => present(entry, secrets)
  const find = (filter: CallFilter, until: Exchange['state']): Entry[] => {
    const matches = matcher(filter, show)
    return [...buffer.entries].filter((entry) => hasReached(entry, until) && matches(entry))
  }
  const addEntry = ({ method, url, headers }: Request, webhook: Exchange['webhook']): Entry => {
    const capture = () =>
      createCapture(buffer.maxBodyBytes, (bytes) => {
        buffer.grow(entry, bytes)
        tracker.changed(entry)
      })
    const entry: Entry = {
      id: ++lastId,
      method,
      url,
      path: new URL(url).pathname,
      at: clock.now(),
      requestHeaders: headers,
      requestBody: capture(),
      responseBody: capture(),
      state: 'arrived',
      status: undefined,
      responseHeaders: undefined,
      headAt: undefined,
      endedAt: undefined,
      failure: undefined,
      webhook,
    }
    buffer.add(entry)
    return entry
  }
  const timeoutError = (
    filter: CallFilter,
    until: Exchange['state'],
    { count = 1, timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions,
  ) => {
    const { where, ...conditions } = filter
    const matching = find(filter, until).length
    const last = [...buffer.entries]
      .slice(-SHOWN_CALLS)
      .map((entry) => `${routeOf(entry)} (${entry.status ?? entry.state})`)
    const requests = `${count} ${until} ${count === 1 ? 'request' : 'requests'}`
    const expected = `${requests} with ${JSON.stringify(conditions)}${where === undefined ? '' : ' that `where` accepts'}`
    const calls = last.length === 0 ? 'there were no requests' : `the last requests were ${last.join(', ')}`
    return new Error(secrets.text(`Expected ${expected} within ${timeoutMs} ms, received ${matching}; ${calls}`))
  }
  return {
    isOn: true,
    calls: (filter = {}) => {
      checkCall(filter)
      return find(filter, 'arrived').map(show)
    },
    waitFor: async (filter, options = {}) => {
      checkCall(filter, options)
      const { count = 1, timeoutMs = DEFAULT_TIMEOUT_MS, until = 'answered', signal } = options
      const enough = (): Exchange[] | undefined => {
        const entries = find(filter, until)
        return entries.length >= count ? entries.map(show) : undefined
      }
      return waits.until(enough, timeoutMs, () => timeoutError(filter, until, options), signal)
    },
    verify: (calls, options = {}) => {
      const { after = 0 } = options
      const [oldest] = buffer.entries
      if (buffer.dropped > 0 && oldest !== undefined && after < oldest.id - 1) {
        throw new ApiError(
          'invalid-body',
          `Expected a journal with all requests after ${after}, received one that dropped ${buffer.dropped}. Set maxEntries or maxBytes of the option journal, or clear the journal before.`,
        )
      }
      const exchanges = find({ after, webhook: false }, 'arrived').map(show)
      verifyCalls(exchanges, { ...options, calls: [calls].flat() })
    },
    har: (filter = {}) => {
      checkCall(filter)
      return renderHar(find(filter, 'arrived').map(show))
    },
    session: (filter = {}) => {
      checkCall(filter)
      const entries = find({ ...filter, webhook: false }, 'arrived')
      const [first] = entries
      const source = { entries, secrets, startedAt: first?.at ?? clock.now() }
      return sessionOf(source, first === undefined ? 'http://mock' : new URL(first.url).origin)
    },
    changes: tracker.since,
    get dropped() {
      return buffer.dropped
    },
    clear: () => {
      buffer.clear()
      tracker.changed()
    },
    conceal: secrets.keep,
    redact: secrets.json,
    close: tracker.close,
    begin: (request, connection, webhook) => {
      const entry = addEntry(request, webhook)
      const onStep = (): void => {
        learnSecrets(entry, secrets)
        tracker.changed(entry)
      }
      onStep()
      return recordExchange({ entry, clock, onStep }, request, connection)
    },
  }
}

/** Returns the journal of a server whose option `journal` is off. */
export function journalOff(): Journal {
  const fail = (): never => {
    throw new Error('The journal is off; create the server with journal: true')
  }
  return {
    isOn: false,
    calls: fail,
    waitFor: async () => fail(),
    verify: fail,
    har: fail,
    session: fail,
    changes: async () => fail(),
    get dropped() {
      return fail()
    },
    clear: fail,
    conceal: () => undefined,
  }
}
