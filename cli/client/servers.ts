import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Handler } from '../../mock-server/http/handler.ts'
import type { MockServerOptions } from '../../mock-server/options.ts'

/** A server that does not break the specification. */
export interface ClientServer {
  /** The name of its requirement: `client.server.NAME`. */
  readonly name: string
  readonly faults?: NonNullable<MockServerOptions['faults']>
  readonly wrap?: (handle: Handler) => Handler
}

/** The server that the others are compared with. */
export const plainServer: ClientServer = { name: 'plain' }

const RUN_STREAM = 'POST /threads/{thread_id}/runs/stream'
const RESUME = 'GET /threads/{thread_id}/runs/{run_id}/stream'
const SPLIT_BYTES = 7
// Of a UTF-8 character of several bytes.
const FIRST_LEAD_BYTE = 0xc0
// A client on a busy machine may read what arrives within 10 ms at once, so the first pause of a response is long.
const FIRST_PAUSE_MS = 250
const SPLIT_PAUSE_MS = 10
const MOST_PAUSES = 20
const SLOW_MS = 500

/** Servers that are unusual and correct, or busy. */
export const unusualServers: readonly ClientServer[] = [
  {
    name: 'split-chunks',
    wrap: changeResponses((response) => withBody(response, response.body?.pipeThrough(inPieces()))),
  },
  { name: 'crlf', wrap: changeText((text) => text.replaceAll('\n', '\r\n')) },
  { name: 'comments', wrap: changeFrames((lines) => [': before', '', ': within', ...lines, ':', '', ': heartbeat']) },
  { name: 'data-lines', wrap: changeFrames((lines) => lines.flatMap(asSeveralLines)) },
  { name: 'unknown-events', wrap: changeFrames((lines) => ['event: x-progress', 'data: {"n":1}', '', ...lines]) },
  {
    name: 'unknown-fields',
    wrap: (handle) => changeFrames((lines) => ['x-field: 1', ...lines])(changeResponses(withFurtherFields)(handle)),
  },
  {
    name: 'slow-headers',
    wrap: (handle) => async (request, connection) => {
      await setTimeout(SLOW_MS)
      return handle(request, connection)
    },
  },
  {
    name: 'rate-limit',
    faults: [
      { type: 'rate-limit', nth: 2 },
      { type: 'rate-limit', nth: 5 },
    ],
  },
  { name: 'cut-stream', faults: [{ type: 'reset', after: 2, route: RUN_STREAM, first: 1 }] },
  {
    name: 'duplicate',
    faults: [
      { type: 'reset', after: 2, route: RUN_STREAM, first: 1 },
      { type: 'duplicate', route: RESUME },
    ],
  },
]

function changeResponses(change: (response: Response) => Response | Promise<Response>): (handle: Handler) => Handler {
  return (handle) => async (request, connection) => change(await handle(request, connection))
}

function withBody(response: Response, body: ReadableStream<Uint8Array> | string | null | undefined): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(body ?? null, { status: response.status, headers })
}

/** Splits a body into pieces of a few bytes, and after the first byte of every character that has several. */
function inPieces(): TransformStream<Uint8Array, Uint8Array> {
  let pauses = 0
  return new TransformStream({
    transform: async (bytes, controller) => {
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.slice(at, at + SPLIT_BYTES)
        const lead = piece.findIndex((byte) => byte >= FIRST_LEAD_BYTE)
        const part = lead < 0 ? piece : piece.slice(0, lead + 1)
        controller.enqueue(part)
        at += part.length
        // Without a pause, the client would receive both parts of a character together.
        if (lead < 0 || pauses >= MOST_PAUSES) await setImmediate()
        else await setTimeout(pauses++ === 0 ? FIRST_PAUSE_MS : SPLIT_PAUSE_MS)
      }
    },
  })
}

/** Changes the text of event streams, event by event. */
function changeText(change: (event: string) => string): (handle: Handler) => Handler {
  return changeResponses((response) => {
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null)
      return response
    let rest = ''
    const byEvent = new TransformStream<string, string>({
      transform: (text, controller) => {
        const events = (rest + text).split(/(?<=\n\n)/)
        rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '')
        for (const event of events) controller.enqueue(change(event))
      },
      flush: (controller) => controller.enqueue(rest),
    })
    const text = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(byEvent)
    return withBody(response, text.pipeThrough(new TextEncoderStream()))
  })
}

/** Changes the lines of the events in streams. */
function changeFrames(change: (lines: readonly string[]) => readonly string[]): (handle: Handler) => Handler {
  return changeText((event) => `${change(event.trimEnd().split('\n')).join('\n')}\n\n`)
}

function asSeveralLines(line: string): readonly string[] {
  if (!line.startsWith('data: ')) return [line]
  const text = JSON.stringify(JSON.parse(line.slice('data: '.length)), null, 1)
  return text.split('\n').map((part) => `data: ${part}`)
}

/** Adds a field to the objects of a successful JSON response: to the body, or to the items of a list. */
async function withFurtherFields(response: Response): Promise<Response> {
  if (!response.ok || response.headers.get('content-type') !== 'application/json') return response
  const body: unknown = await response.json()
  const isRecord = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const further = (value: unknown): unknown => (isRecord(value) ? { ...value, x_further: { since: 2 } } : value)
  return withBody(response, JSON.stringify(Array.isArray(body) ? body.map(further) : further(body)))
}
