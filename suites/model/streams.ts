import { at, listAt, parseJson, show, textAt } from '../values/json.ts'
import { isEvent, type StreamBlock, streamBlocks, valuesOf } from '../values/stream-blocks.ts'
import { dataOf, type NodeUpdate, nodeUpdates } from '../values/stream-data.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { mayBeInterrupted } from './bounds.ts'
import { type DeploymentModel, type Thread, threadOf } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { testGraphOf } from './graphs.ts'
import { streamRun } from './operations.ts'
import { createdBy, mayBeBusy } from './run-ends.ts'
import { inputText } from './test-graphs.ts'

/** A stream that ended, with the lines of its events. */
export interface StreamText {
  readonly exchange: Exchange
  readonly setup: readonly (Exchange | undefined)[]
  readonly blocks: readonly StreamBlock[]
}

/** Responses to documented requests for streams that ended and have events, whatever their content type is. */
export function* streamTexts(model: DeploymentModel): Iterable<StreamText> {
  for (const exchange of model.of(streamRun)) {
    const blocks = streamBlocks(exchange.text).filter(isEvent)
    if (blocks.length > 0) yield { exchange, setup: [threadOf(model, exchange)?.creation], blocks }
  }
}

export const isNamed = (event: StreamBlock): boolean => valuesOf(event, 'event').some((name) => name !== '')
export const hasData = (event: StreamBlock): boolean => valuesOf(event, 'data').length > 0
export const hasJson = (event: StreamBlock): boolean => parseJson(valuesOf(event, 'data').join('\n')) !== undefined

/** The stream of one run that ended; each event has a name and JSON data. */
export interface RunStream extends StreamText {
  readonly thread: Thread
  /** Names of the events in order. */
  readonly names: readonly string[]
  /** Data of the `metadata` events. */
  readonly metadata: readonly unknown[]
  /** Id of the run as the first `metadata` event shows it. */
  readonly runId: string | undefined
  /** `stream_mode` of the request; undefined without it. */
  readonly modes: readonly unknown[] | undefined
  readonly updates: readonly NodeUpdate[]
  /** Text of the newest input message. */
  readonly input: string | undefined
  /** Undefined if the graph is not a test graph, or if another run of the thread may have stopped this one. */
  readonly graph: TestGraph | undefined
}

/** Shows the data of the `error` event of a stream as the end of a sentence; empty without such an event. */
export function showError({ exchange }: Pick<RunStream, 'exchange'>): string {
  const [data] = dataOf(exchange.events, 'error')
  return data === undefined ? '' : `, and an \`error\` event with ${show(data, 300)}`
}

/** Well-formed streams of documented requests. */
export function* streams(model: DeploymentModel): Iterable<RunStream> {
  for (const stream of select(model, streamTexts)) {
    const { exchange, blocks } = stream
    const { events, request } = exchange
    const thread = threadOf(model, exchange)
    const isWellFormed = blocks.every((block) => block.closed && isNamed(block) && hasJson(block))
    if (thread === undefined || !isWellFormed || events.length === 0) continue
    const metadata = dataOf(events, 'metadata')
    const run = thread.runOf(exchange)
    const mayBeCut = mayBeBusy(thread, exchange) && (run === undefined || mayBeInterrupted(run))
    // Runs that wait until it has ended change nothing.
    const isAlone = !thread.hasUnknownEffects && !mayBeBusy(thread, exchange, createdBy(exchange)) && !mayBeCut
    yield {
      ...stream,
      thread,
      names: events.map(({ event }) => event),
      metadata,
      runId: textAt(metadata[0], 'run_id'),
      modes: at(request, 'stream_mode') === undefined ? undefined : listAt(request, 'stream_mode'),
      updates: nodeUpdates(events),
      input: inputText(request),
      graph: isAlone ? testGraphOf(model, exchange) : undefined,
    }
  }
}

/** Returns the stream that a request started; undefined for other requests. */
export function streamOf(model: DeploymentModel, creation: Exchange | undefined): RunStream | undefined {
  return derive(model, streamsByRequest).get(creation)
}

function streamsByRequest(model: DeploymentModel): ReadonlyMap<Exchange | undefined, RunStream> {
  return new Map(select(model, streams).map((stream) => [stream.exchange, stream]))
}
