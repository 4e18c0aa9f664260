import { forBrowsers } from '../../http/cors.ts'
import type { Connection, Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Random } from '../../runtime/random.ts'
import type { RecordedRequest, Recording } from '../../scripting/recording.ts'
import { type ComparedRequest, comparedRequest, differencesOf, nearestTo } from './compare.ts'
import { type Candidate, isRead, methodAndPath, type Pass, startPass } from './pass.ts'
import { respond } from './respond.ts'
import { createReplayedValues } from './values.ts'

/** Options of the replay of a recording. */
export interface ReplayOptions {
  /**
   * How many times faster than recorded the server responds; 0 responds at once.
   *
   * @default 1
   */
  readonly speed?: number
  /**
   * Responds to a request that was not recorded. In the request, the ids of the replay are replaced by the recorded ones.
   *
   * @default status 422 with the nearest recorded request
   */
  readonly onMissing?: (request: Request) => Promise<Response>
}

/** A server that responds as a recorded one did. */
export interface Replay {
  readonly handle: Handler
  /** Starts again at the first recorded request. */
  restart(): void
}

// Clients may start many replays and end none, which must not fill the memory.
const MAX_PASSES = 100
// The clocks of the recorded server and of the recording machine may differ.
const CLOCK_SKEW_MS = 60_000

/** Creates a server that responds as a recorded one did. */
export function createReplay(
  recording: Recording,
  { speed = 1, onMissing, clock, random }: ReplayOptions & { readonly clock: Clock; readonly random: Random },
): Replay {
  const candidates = recording.exchanges.map(
    (exchange, index): Candidate => ({ number: index + 1, exchange, compared: comparedRequest(exchange.request) }),
  )
  const groups = Map.groupBy(candidates, ({ compared }) => methodAndPath(compared))
  const firstWrite = candidates.find(({ compared }) => !isRead(compared))
  const startMs = Date.parse(recording.startedAt)
  const endMs = startMs + Math.max(0, ...recording.exchanges.map(({ atMs, tookMs }) => atMs + tookMs))
  // The newest first.
  let passes: readonly Pass[] = []

  const newPass = (): Pass => {
    const values = createReplayedValues({
      random,
      shiftMs: Math.round(clock.now() - startMs - (recording.exchanges[0]?.atMs ?? 0)),
      session: [startMs - CLOCK_SKEW_MS, endMs + CLOCK_SKEW_MS],
    })
    return startPass(groups, values)
  }
  const keep = (pass: Pass): void => {
    passes = [pass, ...passes].slice(0, MAX_PASSES)
  }
  const take = (received: ComparedRequest): { candidate: Candidate; pass: Pass } | undefined => {
    if (passes.length === 0) keep(newPass())
    for (const pass of passes) {
      const candidate = pass.take(received)
      if (candidate !== undefined) return { candidate, pass }
    }
    // A client that repeats the first write starts a new replay. A repeated read does not: clients poll.
    const pass = newPass()
    const candidate = pass.take(received)
    if (candidate === undefined || candidate !== firstWrite) return undefined
    keep(pass)
    return { candidate, pass }
  }
  const refuse = (received: ComparedRequest, request: RecordedRequest): Response => {
    const detail = `${explain(received, request, candidates)} Record the session again with this request, or start the server with --record-missing.`
    // The SDKs repeat requests after other errors, and clients may expect a 404.
    return Response.json({ detail }, { status: 422 })
  }
  const forward = async (
    send: NonNullable<ReplayOptions['onMissing']>,
    request: Request,
    received: ComparedRequest,
    text: string,
  ): Promise<Response> => {
    const { values } = passes.find((pass) => received.ids.some(pass.values.hasSent)) ?? passes[0] ?? newPass()
    const { method, headers, signal } = request
    const init: RequestInit = { method, headers, signal, ...(text !== '' && { body: values.toRecorded(text) }) }
    const response = await send(new Request(values.toRecorded(request.url), init))
    const { status, body } = response
    const named = [...response.headers].map(([name, value]): [string, string] => [name, values.toReplayed(value)])
    return new Response(body && linesOf(body, values.toReplayed), { status, headers: named })
  }
  const handle = async (request: Request, connection: Connection | undefined): Promise<Response> => {
    const text = await request.text()
    const recorded = requestOf(request, text)
    const received = comparedRequest(recorded)
    const taken = take(received)
    if (taken === undefined) {
      return onMissing === undefined ? refuse(received, recorded) : forward(onMissing, request, received, text)
    }
    const { candidate, pass } = taken
    return respond({ exchange: candidate.exchange, values: pass.values, clock, speed, request, connection })
  }
  return {
    handle: (request, connection) => forBrowsers((passed) => handle(passed, connection))(request),
    restart: () => {
      passes = []
    },
  }
}

function requestOf({ method, url, headers }: Request, text: string): RecordedRequest {
  const { pathname, search } = new URL(url)
  const lastEventId = headers.get('last-event-id')
  return {
    method,
    path: pathname + search,
    ...(lastEventId !== null && { lastEventId }),
    ...(text !== '' && { body: parsed(text) }),
  }
}

/** Returns the value of a JSON text, or any other text as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Explains why a request is refused, by the nearest recorded one. */
function explain(
  received: ComparedRequest,
  { method, path }: RecordedRequest,
  candidates: readonly Candidate[],
): string {
  const problem = `expected a request of the recording, received ${method} ${path}.`
  const nearest = nearestTo(received, candidates)
  if (nearest === undefined) return `${problem} The recording is empty.`
  const { exchange, compared, number } = nearest
  const nearestName = `The nearest is request ${number} of the recording, ${exchange.request.method} ${exchange.request.path}`
  if (methodAndPath(compared) !== methodAndPath(received)) return `${problem} ${nearestName}.`
  const [difference] = differencesOf(compared, received)
  if (difference !== undefined) {
    const { field, recorded = 'nothing', received: value = 'nothing' } = difference
    return `${problem} ${nearestName}; ${field}: expected ${recorded}, received ${value}.`
  }
  return `${problem} ${nearestName}, which has other ids or was already replayed as often as it was recorded.`
}

/** Changes a text line by line, because an id may arrive in two parts. */
function linesOf(body: ReadableStream<Uint8Array>, change: (text: string) => string): ReadableStream<Uint8Array> {
  let rest = ''
  const decoder = new TextDecoder()
  const lines = new TransformStream<Uint8Array, string>({
    transform: (bytes, controller) => {
      rest += decoder.decode(bytes, { stream: true })
      const end = rest.lastIndexOf('\n') + 1
      if (end > 0) controller.enqueue(change(rest.slice(0, end)))
      rest = rest.slice(end)
    },
    flush: (controller) => {
      rest += decoder.decode()
      if (rest !== '') controller.enqueue(change(rest))
    },
  })
  return body.pipeThrough(lines).pipeThrough(new TextEncoderStream())
}
