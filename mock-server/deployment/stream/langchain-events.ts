import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Run } from '../records.ts'
import { messageChunk, messageOrigin } from './messages.ts'
import type { EventOf, Renderings, WireEvent } from './wire-event.ts'

/** What differs between the LangChain events of the public servers. */
export interface LangChainStyle {
  /** Returns the name of the whole run. */
  readonly nameOf: (run: Run) => string
  /** Whether events list their ancestors, and nodes stream their output. */
  readonly isDetailed: boolean
}

/** The style of the public Python server. */
export const detailedStyle: LangChainStyle = {
  nameOf: (run) => run.kwargs.config.configurable.graph_id,
  isDetailed: true,
}

/** The style of the public JavaScript server. */
export const briefStyle: LangChainStyle = { nameOf: () => 'LangGraph', isDetailed: false }

/** The runnable that an event is about. */
interface Runnable {
  readonly name: string
  readonly run_id: string
  readonly tags: readonly string[]
  readonly metadata: JsonObject
  readonly parent_ids: readonly string[]
}

/** Adds the mode `events`: LangChain events of the run, its nodes, and models that stream tokens. */
export function withLangChainEvents(base: Renderings, style: LangChainStyle): Renderings {
  const send = (event: string, { parent_ids, ...about }: Runnable, data: JsonObject): WireEvent => ({
    event: 'events',
    data: { event, data, ...about, ...(style.isDetailed && { parent_ids }) },
  })
  const graphOf = (run: Run): Runnable => ({
    name: style.nameOf(run),
    run_id: run.run_id,
    tags: run.kwargs.config.tags ?? [],
    metadata: { ...run.kwargs.config.metadata, run_id: run.run_id, thread_id: run.thread_id },
    parent_ids: [],
  })
  return {
    ...base,
    created: [
      ...base.created,
      {
        mode: 'events',
        render: (_event, run) => [send('on_chain_start', graphOf(run), { input: run.kwargs.input })],
      },
    ],
    task: [
      ...base.task,
      {
        mode: 'events',
        render: (event, run) => [send('on_chain_start', nodeOf(event, run), { input: plainValues(event.values) })],
      },
    ],
    token: [
      ...base.token,
      {
        mode: 'events',
        render: (event, run) => {
          const { messageId, isFirst } = event.token
          const model = modelOf(event, run, messageId)
          const streamed = send('on_chat_model_stream', model, { chunk: messageChunk(event.token) })
          return isFirst ? [send('on_chat_model_start', model, { input: { messages: [] } }), streamed] : [streamed]
        },
      },
    ],
    // The events of a node come before its update.
    result: [
      {
        mode: 'events',
        render: (event, run) => {
          const node = nodeOf(event, run)
          const output = plainUpdate(event.update)
          const input = plainValues(event.values)
          return [
            ...event.update.messages
              .filter(({ id }) => event.streamed.has(id))
              .map((message) => send('on_chat_model_end', modelOf(event, run, message.id), { output: message })),
            ...(style.isDetailed ? [send('on_chain_stream', node, { chunk: output })] : []),
            send('on_chain_end', node, { output, input }),
          ]
        },
      },
      ...base.result,
    ],
    stopped: [
      ...base.stopped,
      {
        mode: 'events',
        render: ({ values }, run) => [send('on_chain_end', graphOf(run), { output: plainValues(values) })],
      },
    ],
    checkpoint: [
      ...base.checkpoint,
      {
        mode: 'events',
        render: ({ checkpoint }, run) =>
          checkpoint.next.length === 0
            ? [send('on_chain_end', graphOf(run), { output: plainValues(checkpoint.values) })]
            : [],
      },
    ],
  }
}

function nodeOf(event: EventOf<'task' | 'token' | 'result'>, run: Run): Runnable {
  const { task, step } = event
  return {
    name: task.name,
    run_id: task.id,
    tags: [`graph:step:${step}`, ...(run.kwargs.config.tags ?? [])],
    metadata: messageOrigin(event, run),
    parent_ids: [run.run_id],
  }
}

function modelOf(event: EventOf<'token' | 'result'>, run: Run, messageId: string): Runnable {
  const node = nodeOf(event, run)
  return { ...node, name: 'model', run_id: messageId, parent_ids: [...node.parent_ids, node.run_id] }
}
