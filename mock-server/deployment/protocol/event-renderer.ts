import type { Message, ToolEvent } from '../../graphs/types.ts'
import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Run } from '../records.ts'
import type { RunEvent } from '../runs/event-log.ts'
import { resultPayload, taskPayload } from '../stream/renderings.ts'
import type { EventOf } from '../stream/wire-event.ts'
import { blocksSoFar, messageFinish, messageStart, nextPart, wholeMessage } from './content-blocks.ts'
import type { ProtocolStyle } from './protocol-dialect.ts'

/** An event of the second stream protocol, without its sequence number. */
export interface ProtocolEvent {
  readonly method: string
  readonly params: {
    readonly namespace: readonly string[]
    readonly timestamp: number
    readonly data: unknown
    readonly node?: string
  }
}

/** Renders the events of one run, in their order, for every channel. The same run always gives the same events. */
export class EventRenderer {
  readonly #run: Run
  readonly #style: ProtocolStyle
  /** The time of the newest event with a time. */
  #time: number
  /** The blocks of messages that have started, by task and id. */
  readonly #open: Map<string, Map<string, readonly JsonObject[]>> = new Map()
  /** The namespaces that have started. */
  readonly #started: Set<string> = new Set()

  constructor(run: Run, style: ProtocolStyle) {
    this.#run = run
    this.#style = style
    this.#time = run.created_at
  }

  /** Returns the events for an event of the run. */
  render(event: RunEvent): readonly ProtocolEvent[] {
    return this.#eventsFor(event).filter(({ method }) => !this.#style.emptyChannels.some((name) => name === method))
  }

  #eventsFor(event: RunEvent): readonly ProtocolEvent[] {
    if ('time' in event) this.#time = event.time
    if ('checkpoint' in event) this.#time = event.checkpoint.created_at
    switch (event.type) {
      case 'created':
        return [this.#lifecycle('running')]
      case 'checkpoint':
        return this.#checkpoint(event)
      case 'task':
        return [this.#event('tasks', taskPayload(event), event)]
      case 'subgraph':
        return [...this.#start(event.namespace), this.#event('values', plainValues(event.values), event)]
      case 'token':
        return this.#token(event)
      case 'custom':
        return [this.#event('custom', { payload: event.data }, event)]
      case 'tool':
        return [this.#event('tools', toolData(event.tool), { ...event, node: event.task.name })]
      case 'result':
        return this.#result(event)
      case 'interrupted':
        return [
          ...event.task.interrupts.map(({ id, value }) =>
            this.#event('input.requested', { interrupt_id: id, payload: value }),
          ),
          this.#event('tasks', resultPayload(event)),
        ]
      case 'failed':
        return [
          ...Array.from(this.#open.get(event.task.id) ?? [], () =>
            this.#message(event, { event: 'error', message: event.task.error?.message ?? '' }),
          ),
          this.#event('tasks', resultPayload(event), event),
          ...this.#end(ownNamespace(event), 'failed'),
        ]
      default:
        return []
    }
  }

  /** Returns the last event of a run that has ended. */
  end(): ProtocolEvent {
    const { status, outcome, updated_at } = this.#run
    this.#time = updated_at
    if (outcome?.error !== undefined) return this.#lifecycle('failed', { error: this.#style.errorText(outcome.error) })
    const isInterrupted = status === 'interrupted' || outcome?.interrupts !== undefined
    return this.#lifecycle(isInterrupted ? 'interrupted' : 'completed')
  }

  #event(
    method: string,
    data: unknown,
    { namespace = [], node }: { namespace?: readonly string[]; node?: string } = {},
  ): ProtocolEvent {
    return { method, params: { namespace, timestamp: this.#time, data, ...(node !== undefined && { node }) } }
  }

  #lifecycle(event: string, more: JsonObject = {}): ProtocolEvent {
    return this.#event('lifecycle', { event, graph_name: this.#run.kwargs.config.configurable.graph_id, ...more })
  }

  #checkpoint({ checkpoint, changed }: EventOf<'checkpoint'>): readonly ProtocolEvent[] {
    const { checkpoint_id, parent_checkpoint_id, metadata, values } = checkpoint
    const { step, source } = metadata
    const parent = parent_checkpoint_id === null ? {} : { parent_id: parent_checkpoint_id }
    const reference = this.#event('checkpoints', { id: checkpoint_id, ...parent, step, source })
    if (!changed) return [reference]
    const { messages, ...channels } = plainValues(values)
    return [reference, this.#event('values', { ...channels, messages: messages.map(withoutEmptyFields) })]
  }

  #token(event: EventOf<'token'>): readonly ProtocolEvent[] {
    const { task } = event
    const { messageId, soFar } = event.token
    const open = this.#open.get(task.id) ?? new Map<string, readonly JsonObject[]>()
    this.#open.set(task.id, open)
    const before = open.get(messageId)
    const now = blocksSoFar(soFar)
    open.set(messageId, now)
    return [
      ...(before === undefined ? [...this.#startNode(event), this.#message(event, messageStart(messageId))] : []),
      ...nextPart(before ?? [], now, this.#style.argumentsDelta).map((data) => this.#message(event, data)),
    ]
  }

  #result(event: EventOf<'result'>): readonly ProtocolEvent[] {
    const { task, update, nested } = event
    const messages = update.messages
      .filter(({ id, type }) => type === 'ai' && !nested.has(id))
      .flatMap((message) => {
        const streamed = this.#open.get(task.id)?.get(message.id)
        if (streamed !== undefined) return messageFinish(message, streamed)
        return this.#style.sendsWholeMessages ? wholeMessage(message) : []
      })
    this.#open.delete(task.id)
    return [
      ...(messages.length === 0 ? [] : this.#startNode(event)),
      ...messages.map((data) => this.#message(event, data)),
      this.#event('updates', { node: task.name, values: plainUpdate(update) }, { ...event, node: task.name }),
      this.#event('tasks', resultPayload(event), event),
      ...this.#end(ownNamespace(event), 'completed'),
    ]
  }

  #message(node: NodePlace, data: JsonObject): ProtocolEvent {
    const namespace = this.#style.hasNodeNamespaces ? ownNamespace(node) : node.namespace
    return this.#event('messages', data, { namespace, node: node.task.name })
  }

  /** Starts the namespace of a node with its first message. */
  #startNode(node: NodePlace): readonly ProtocolEvent[] {
    return this.#style.hasNodeNamespaces ? this.#start(ownNamespace(node)) : []
  }

  #start(namespace: readonly string[]): readonly ProtocolEvent[] {
    const key = namespace.join('|')
    if (this.#started.has(key)) return []
    this.#started.add(key)
    return [this.#event('lifecycle', { event: 'started', graph_name: nameOf(namespace) }, { namespace })]
  }

  #end(namespace: readonly string[], event: string): readonly ProtocolEvent[] {
    if (!this.#started.delete(namespace.join('|'))) return []
    return [this.#event('lifecycle', { event, graph_name: nameOf(namespace) }, { namespace })]
  }
}

type NodePlace = Pick<EventOf<'token'>, 'task' | 'namespace'>

/** Returns the namespace of what runs in a node. */
function ownNamespace({ task, namespace }: NodePlace): readonly string[] {
  return [...namespace, `${task.name}:${task.id}`]
}

/** Returns the name of the innermost node of a namespace. */
function nameOf(namespace: readonly string[]): string {
  const segment = namespace.at(-1) ?? ''
  return segment.slice(0, segment.lastIndexOf(':'))
}

/** Returns a message without fields that are null, false or empty. */
function withoutEmptyFields(message: Message): JsonObject {
  const isEmpty = (value: unknown) =>
    value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(message).filter(([key, value]) => key === 'content' || !isEmpty(value)))
}

function toolData(tool: ToolEvent): JsonObject {
  const tool_call_id = tool.id
  switch (tool.event) {
    case 'start':
      return { event: 'tool-started', tool_call_id, tool_name: tool.name, input: tool.input }
    case 'end':
      return { event: 'tool-finished', tool_call_id, output: tool.output }
    default:
      return { event: 'tool-error', tool_call_id, message: tool.error }
  }
}
