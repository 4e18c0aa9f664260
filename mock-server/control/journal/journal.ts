import type { Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createCapture } from './capture.ts'
import type { Entry } from './entry.ts'
import type { Exchange } from './exchange.ts'
import { type CallFilter, checkCall, matcher } from './filter.ts'
import { renderHar } from './har.ts'
import { learnFrom } from './learn.ts'
import { present, routeOf } from './present.ts'
import { recorded } from './record.ts'
import { createSecrets } from './secrets.ts'
import { createShelf, type JournalLimits } from './shelf.ts'
import { createWaiting, hasReached, type WaitOptions } from './wait.ts'

/** Everything that clients said to a server and got from it, without secrets. */
export interface Journal {
  /** Whether it is kept: with the option `journal`. Where it is off, asking for exchanges throws. */
  readonly isOn: boolean
  /** The exchanges so far, oldest first. */
  calls(filter?: CallFilter): Exchange[]
  /**
   * Resolves with the exchanges that are meant, once there are enough of them; at once where there are already.
   * Rejects when that has not happened in time, with what has.
   *
   * @example const [call] = await mock.journal.waitFor({ route: 'POST /threads' })
   */
  waitFor(filter: CallFilter, options?: WaitOptions): Promise<Exchange[]>
  /** The exchanges as HTTP Archive 1.2, for the network panel of a browser: the text of a file. */
  har(filter?: CallFilter): string
  /** How many exchanges were dropped to make room for later ones. */
  readonly dropped: number
  /** Forgets all exchanges; their ids go on. */
  clear(): void
  /** Makes sure that a text of four characters or more is shown nowhere, also where nothing tells that it is a secret. */
  conceal(secret: string): void
}

/** A journal, and the way of a request through it. */
export interface JournalLayer extends Journal {
  /** The answer of a server to a request, both kept. */
  answer(server: Handler): Handler
}

/** How a journal is set up. */
export interface JournalSettings extends JournalLimits {
  readonly clock: Clock
  /** Texts that are shown nowhere. */
  readonly secrets: readonly string[]
}

const PATIENCE_MS = 5000
const SHOWN = 5

export function createJournal({ clock, secrets: known, ...limits }: JournalSettings): JournalLayer {
  const secrets = createSecrets(known)
  const shelf = createShelf(limits)
  const waiting = createWaiting()
  let last = 0

  const show = (entry: Entry): Exchange => present(entry, secrets)
  const find = (filter: CallFilter, until: Exchange['state']): Entry[] => {
    const matches = matcher(filter, show)
    return [...shelf.entries].filter((entry) => hasReached(entry, until) && matches(entry))
  }
  const enter = ({ method, url, headers }: Request): Entry => {
    const capture = () =>
      createCapture(shelf.mostOfBody, (bytes) => {
        shelf.grow(entry, bytes)
        waiting.look()
      })
    const entry: Entry = {
      id: ++last,
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
      endedAt: undefined,
      failure: undefined,
    }
    shelf.add(entry)
    return entry
  }
  const tooLate = (
    filter: CallFilter,
    until: Exchange['state'],
    { count = 1, timeoutMs = PATIENCE_MS }: WaitOptions,
  ) => {
    const { where, ...said } = filter
    const got = find(filter, until).length
    const others = [...shelf.entries].slice(-SHOWN).map((entry) => `${routeOf(entry)} (${entry.status ?? entry.state})`)
    const wanted = `${count} ${until} ${JSON.stringify(said)}${where === undefined ? '' : ' that `where` lets pass'}`
    const came = others.length === 0 ? 'nothing was called' : `the last calls were ${others.join(', ')}`
    return new Error(secrets.text(`Expected ${wanted} within ${timeoutMs} ms, received ${got}; ${came}`))
  }
  return {
    isOn: true,
    calls: (filter = {}) => {
      checkCall(filter)
      return find(filter, 'arrived').map(show)
    },
    waitFor: async (filter, options = {}) => {
      checkCall(filter, options)
      const { count = 1, timeoutMs = PATIENCE_MS, until = 'answered', signal } = options
      const enough = (): Exchange[] | undefined => {
        const found = find(filter, until)
        return found.length >= count ? found.map(show) : undefined
      }
      return waiting.until(enough, timeoutMs, () => tooLate(filter, until, options), signal)
    },
    har: (filter = {}) => {
      checkCall(filter)
      return renderHar(find(filter, 'arrived').map(show))
    },
    get dropped() {
      return shelf.dropped
    },
    clear: () => shelf.clear(),
    conceal: secrets.keep,
    answer: (server) => (request, connection) => {
      const entry = enter(request)
      const onStep = (): void => {
        learnFrom(entry, secrets)
        waiting.look()
      }
      onStep()
      return recorded({ entry, clock, onStep }, server, request, connection)
    },
  }
}
