import type { Level } from '../../reporters/model/report.ts'
import type { Exchange } from '../control/journal/exchange.ts'

/** The requests of a client to one server, with what is known of its process. */
export interface ClientSession {
  /** The name of the endpoint in the report. */
  readonly name: string
  /** The base URL of the server. */
  readonly url: string
  /** The environment variable from which the client has the base URL, if the server has stopped. */
  readonly urlVariable?: string
  /** The exchanges of the journal, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Whether the clock of the server shows the time of the client. Otherwise, pauses are not evaluated. */
  readonly isRealTime: boolean
  /** The exit code of the client, if the session is one of its processes. */
  readonly exitCode?: number
  /** The last lines of its output. */
  readonly output?: string
}

/** A request to which a requirement applies. */
export interface Case {
  /** The request that decides; if the process of the client decides, its last one, if any. */
  readonly exchange?: Exchange
  /** Earlier requests that the decision needs. */
  readonly before?: readonly Exchange[]
  /** Present if the client does not meet the requirement. */
  readonly failure?: { readonly expected: string; readonly received: string }
}

/** A requirement that a client meets or not. */
export interface ClientRequirement {
  /** Dotted name. It never changes its meaning and is never reused. */
  readonly id: string
  readonly section: string
  readonly level: Level
  /** The requirement in one sentence, as Markdown. */
  readonly statement: string
  /** How it is decided. */
  readonly decided: string
  /** Whether it depends on pauses between requests. */
  readonly needsRealTime?: boolean
  /** The only server of `touchstone client` that it applies to. Without it, it applies to every session. */
  readonly server?: string
  /** Why there is no case. @default 'The client sent no request to which it applies.' */
  readonly notApplicable?: string
  /** Returns the cases in a session. `plain` is the session with an ordinary server. */
  readonly cases: (session: ClientSession, plain: ClientSession) => readonly Case[]
}

/** Returns the case of a request: it passes, or what was expected and received. */
export function caseOf(exchange: Exchange, passes: boolean, expected: string, received: unknown): Case {
  if (passes) return { exchange }
  return { exchange, failure: { expected, received: typeof received === 'string' ? received : shown(received) } }
}

const LONGEST = 200

/** Formats a JSON value for a failure. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Returns the path of a request without its query. */
export function pathOf({ url }: Exchange): string {
  return new URL(url).pathname
}

/** Whether both requests have the same method, URL and body. */
export function isSameRequest(one: Exchange, other: Exchange): boolean {
  return (
    one.method === other.method &&
    one.url === other.url &&
    JSON.stringify(one.requestBody) === JSON.stringify(other.requestBody)
  )
}
