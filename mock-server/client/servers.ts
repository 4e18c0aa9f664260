import type { Level } from '../../reporters/model/report.ts'
import type { Exchange } from '../control/journal/exchange.ts'
import type { Case, ClientRequirement, ClientSession } from './requirement.ts'

const RUN_STREAM = 'POST /threads/{thread_id}/runs/stream'
const RESUME = 'GET /threads/{thread_id}/runs/{run_id}/stream'

/** Requirements of `touchstone client`: the client works with servers that are unusual and correct. */
export const serverRequirements: readonly ClientRequirement[] = [
  worksWith('split-chunks', 'MUST', 'whose responses arrive in chunks that split events and characters anywhere'),
  worksWith('crlf', 'MUST', 'whose event streams have CRLF line endings'),
  worksWith('comments', 'MUST', 'that sends comments before, between and after the events of a stream'),
  worksWith('data-lines', 'MUST', 'that sends the data of an event in several `data:` lines'),
  worksWith('unknown-events', 'MUST', 'that sends events which the specification does not name'),
  worksWith('unknown-fields', 'MUST', 'whose events and JSON objects have further fields'),
  worksWith('slow-headers', 'SHOULD', 'whose response headers arrive after half a second'),
  worksWith('rate-limit', 'SHOULD', 'that refuses some requests with 429 and `Retry-After: 1`', {
    happened: ({ status }) => status === 429,
    condition: 'the client sent at least two requests',
    notApplicable: 'The client sent fewer than two requests.',
  }),
  worksWith('cut-stream', 'SHOULD', 'that breaks the connection within the first stream', {
    happened: ({ route, failure }) => route === RUN_STREAM && failure === 'connection reset',
    condition: 'the first stream of a run in a thread was cut',
    notApplicable: 'No stream of a run in a thread was cut: the client opened none, or left it before.',
  }),
  worksWith('duplicate', 'SHOULD', 'that breaks the first stream and sends an event twice after it was resumed', {
    happened: ({ route, events = [] }) => route === RESUME && events.length > 0,
    condition: 'the client resumed the stream',
    notApplicable: 'The client resumed no stream of a run in a thread.',
  }),
]

/** Unusual behavior that not every client meets. */
interface Trigger {
  /** Whether a request met it. */
  readonly happened: (exchange: Exchange) => boolean
  readonly condition: string
  readonly notApplicable: string
}

function worksWith(server: string, level: Level, description: string, trigger?: Trigger): ClientRequirement {
  return {
    id: `client.server.${server}`,
    section: 'Unusual servers',
    level,
    statement: `The client works with a server ${description}.`,
    decided: `the exit code of the command is 0, and it sends requests to the same endpoints as with an ordinary server${trigger === undefined ? '' : `; success counts only if ${trigger.condition}`}`,
    server,
    ...(trigger && { notApplicable: trigger.notApplicable }),
    cases: (session, plain) => {
      const result = compare(session, plain)
      // Without what makes the server unusual, success shows nothing; a failure still does.
      const isTested = trigger === undefined || session.exchanges.some(trigger.happened)
      return isTested || result.failure !== undefined ? [result] : []
    },
  }
}

const MOST_SHOWN = 10

function compare({ exitCode, output = '', exchanges }: ClientSession, plain: ClientSession): Case {
  const [exchange, ...before] = exchanges.slice(-MOST_SHOWN).toReversed()
  const shown = exchange === undefined ? {} : { exchange, before: before.toReversed() }
  if (exitCode !== 0) {
    const reason = reasonIn(output)
    const received = `exit code ${exitCode}${reason === '' ? '' : `: ${reason}`}`
    return { ...shown, failure: { expected: 'exit code 0', received } }
  }
  const routes = new Set(exchanges.map(({ route }) => route))
  const missing = [...new Set(plain.exchanges.map(({ route }) => route))].filter((route) => !routes.has(route))
  if (missing.length === 0) return {}
  return { ...shown, failure: { expected: `requests to ${missing.join(', ')}`, received: 'none' } }
}

/** Returns the line of an output that most likely says what went wrong: the last one that names an error, or the last one. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  return lines.findLast((line) => /error|exception|fail/i.test(line) && !/^at /.test(line)) ?? lines.at(-1) ?? ''
}
