import { parseJson } from '../../../suites/values/json.ts'
import type { EndpointLog, Exchange } from '../../../suites/model/exchange.ts'
import { encodeFrame, type Frame } from '../../wrappers/routes.ts'
import { type Call, createCallLog, parquetFile, type Source } from './calls.ts'
import { createEvaluator, type Evaluator } from './evaluator.ts'
import { mutateFiles } from './files.ts'
import type { Defect, Mutation, Reply } from './mutation.ts'
import { changedParts } from './reads.ts'

/** A recorded response with what the server knew when it responded. */
interface Responded {
  readonly call: Call
  readonly exchange: Exchange
}

/** A log whose responses can be changed. */
export interface Recording {
  readonly log: EndpointLog
  /** Responses of each operation, in the order in which they started. */
  readonly responses: ReadonlyMap<Source, readonly Responded[]>
  readonly evaluate: Evaluator
}

/** A log with the ids of the exchanges that a mutation changed. */
export interface MutatedLog {
  readonly log: EndpointLog
  readonly changed: ReadonlySet<number>
  /** Whether one of them can decide anything: any response to a probe is right. */
  readonly isDecidable: boolean
  /** The parts of its responses that it changed, see `changedParts`, and `parquetFile` if it changed files. */
  readonly parts: ReadonlySet<string>
}

/** Prepares a log for `mutateLog`. */
export function createRecording(log: EndpointLog): Recording {
  const calls = createCallLog()
  const pending = new Map<Exchange, ReturnType<typeof calls.begin>>()
  const responses: Responded[] = []
  const base = new URL(log.endpoint.url).pathname.replace(/\/$/, '')
  const begin = (exchange: Exchange) => {
    const { pathname, search } = new URL(exchange.url)
    pending.set(exchange, calls.begin(exchange.method, pathname.slice(base.length) + search, exchange.requestHeaders))
  }
  const respond = (exchange: Exchange) => {
    const request = pending.get(exchange)
    if (request !== undefined) responses.push({ call: calls.respond(request), exchange })
  }
  const end = (exchange: Exchange) => {
    const request = pending.get(exchange)
    if (request !== undefined) calls.end(request)
  }
  const steps = log.exchanges.flatMap((exchange) => [
    { at: exchange.sentAt, order: 0, run: () => begin(exchange) },
    ...(Number.isFinite(exchange.headAt) ? [{ at: exchange.headAt, order: 1, run: () => respond(exchange) }] : []),
    { at: exchange.closedAt, order: 2, run: () => end(exchange) },
  ])
  for (const { run } of steps.sort((a, b) => a.at - b.at || a.order - b.order)) run()
  return { log, responses: Map.groupBy(responses, ({ call }) => call.operation), evaluate: createEvaluator(log) }
}

/** Returns the log that a server with a mutation would have left, if it had received the same requests. */
export function mutateLog({ log, responses }: Recording, mutation: Mutation): MutatedLog {
  const defect = mutation.start()
  const replaced = new Map<Exchange, Exchange>()
  for (const { call, exchange } of responses.get(mutation.operation) ?? []) {
    const changed = changeExchange(exchange, call, defect)
    if (changed !== exchange) replaced.set(exchange, changed)
  }
  const exchanges = log.exchanges.map((exchange) => replaced.get(exchange) ?? exchange)
  const changed = new Set([...replaced.values()].map(({ id }) => id))
  const parts = new Set([...replaced].flatMap(([before, after]) => [...changedParts(before, after)]))
  const observations = mutateFiles(log.observations, mutation)
  const hasOtherFiles = observations.some((each, index) => each !== log.observations[index])
  if (hasOtherFiles) parts.add(parquetFile)
  const isDecidable = hasOtherFiles || [...replaced.keys()].some(({ intent }) => intent !== 'probe')
  return { log: { ...log, exchanges, observations }, changed, isDecidable, parts }
}

function changeExchange(exchange: Exchange, call: Call, defect: Defect): Exchange {
  const isActive = defect.when(call)
  const { status, headers, text, events, fate } = exchange
  if (status === undefined) return exchange
  const ms = isActive ? defect.delayMs : 0
  if (events.length > 0) {
    const changed = defect.stream === undefined ? exchange : changeStream(exchange, defect.stream(call, isActive))
    return delayed(changeHead(changed, { status, headers }, call, defect, isActive), ms)
  }
  if (fate !== 'answered') return exchange
  const reply = { status, headers, text }
  const changed = defect.reply?.(reply, call, isActive) ?? reply
  const isSame = changed.status === status && changed.headers === headers && changed.text === text
  return isSame ? delayed(exchange, ms) : withResponse(exchange, changed)
}

/** Changes the status and headers of an event stream. */
function changeHead(
  exchange: Exchange,
  head: Pick<Reply, 'status' | 'headers'>,
  call: Call,
  { reply }: Defect,
  isActive: boolean,
): Exchange {
  const { status, headers } = reply?.({ ...head, text: '' }, call, isActive) ?? head
  if (status === head.status && headers === head.headers) return exchange
  // Without its content type, a stream is no stream.
  const isStream = headers['content-type'] === head.headers['content-type']
  return withResponse(exchange, { status, headers, ...(isStream ? {} : { events: [] }) })
}

function changeStream(
  exchange: Exchange,
  change: (frames: readonly Frame[], ended: boolean) => readonly Frame[],
): Exchange {
  const frames = exchange.events.map(({ atMs, event, data, id }) => ({
    atMs,
    frame: { event, data: parseJson(data), ...(id === undefined ? {} : { id }) },
  }))
  const last = frames.at(-1)?.atMs ?? 0
  const shown = [
    ...frames.flatMap(({ atMs, frame }) => change([frame], false).map((each) => ({ atMs, frame: each }))),
    ...change([], true).map((frame) => ({ atMs: last, frame })),
  ]
  if (shown.length === frames.length && shown.every(({ frame }, index) => frame === frames[index]?.frame)) return exchange
  const events = shown.map(({ atMs, frame: { data, ...rest } }) => ({ atMs, ...rest, data: JSON.stringify(data) }))
  return withResponse(exchange, { events, text: shown.map(({ frame }) => encodeFrame(frame)).join('') })
}

/** Returns an exchange whose response starts and ends later. */
function delayed(exchange: Exchange, ms = 0): Exchange {
  if (ms === 0) return exchange
  const { headAt, endedAt, closedAt, events } = exchange
  return withResponse(exchange, {
    headAt: headAt + ms,
    endedAt: endedAt + ms,
    closedAt: closedAt + ms,
    events: events.map((event) => ({ ...event, atMs: event.atMs + ms })),
  })
}

/** Returns an exchange with parts of another response. */
function withResponse(exchange: Exchange, response: Partial<Exchange>): Exchange {
  // These are getters, which a spread leaves out.
  const { caller, request, text, events } = exchange
  const changed = { ...exchange, caller, request, text, events, ...response }
  const { status = 0, fate } = changed
  return { ...changed, accepted: fate === 'answered' && status >= 200 && status < 300, json: parseJson(changed.text) }
}
