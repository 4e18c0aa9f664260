import { execute, NodeInterrupt, type NodeWork } from '../../graphs/execute.ts'
import { addChunk } from '../../graphs/message-chunk.ts'
import type { Graph, MessageChunk, NodeContext } from '../../graphs/types.ts'
import { type GraphValues, type MessageReducer, plainUpdate, type ValuesUpdate } from '../../graphs/values.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { IdFactory } from '../../runtime/ids.ts'
import type { AuthUser } from '../auth/handlers.ts'
import type { RunError, Task } from '../checkpoint.ts'
import type { Run } from '../records.ts'
import { newTask } from '../state/checkpoint.ts'

/** The run of a node. */
interface NodeRun {
  readonly run: Run
  readonly user: AuthUser | undefined
  readonly abort: AbortController
}

/** The dependencies of a node. */
interface NodeTools {
  readonly clock: Clock
  readonly ids: IdFactory
  readonly reduceMessages: MessageReducer
}

/** Where a node runs. */
interface NodePlace {
  readonly task: Task
  readonly step: number
  /** The tasks that the node is in, `name:id` each, outermost first. */
  readonly namespace: readonly string[]
  /** The input of the node. */
  readonly values: GraphValues
}

/** A node that runs, in a graph or a subgraph. Writes the events of the node to the log of its run. */
export class RunningNode {
  readonly #of: NodeRun
  readonly #tools: NodeTools
  readonly #values: GraphValues
  readonly #event: Pick<NodePlace, 'task' | 'step' | 'namespace'>
  /** The messages that are streamed, up to now. */
  readonly #streamed: Map<string, MessageChunk> = new Map()
  /** The ids of messages of subgraphs. */
  readonly #nested: Set<string> = new Set()

  constructor(of: NodeRun, tools: NodeTools, { values, ...event }: NodePlace) {
    this.#of = of
    this.#tools = tools
    this.#values = values
    this.#event = event
  }

  start(): void {
    const time = this.#tools.clock.now()
    this.#of.run.log.append({ type: 'task', ...this.#event, time, values: this.#values })
  }

  /** `values` is the state before the update. */
  finish(update: ValuesUpdate, values: GraphValues): void {
    const time = this.#tools.clock.now()
    const streamed = new Set(this.#streamed.keys())
    this.#of.run.log.append({ type: 'result', ...this.#event, time, update, values, streamed, nested: this.#nested })
  }

  /** Returns the error with which the node has failed. */
  fail(thrown: unknown): RunError {
    const error = runError(thrown)
    const { task } = this.#event
    this.#of.run.log.append({
      type: 'failed',
      ...this.#event,
      task: { ...task, error },
      time: this.#tools.clock.now(),
    })
    return error
  }

  context(interrupt: NodeContext['interrupt']): NodeContext {
    const { run, user, abort } = this.#of
    const { clock, ids } = this.#tools
    const chunk = (messageId: string, part: MessageChunk): void => {
      const before = this.#streamed.get(messageId)
      const soFar = addChunk(before ?? {}, part)
      this.#streamed.set(messageId, soFar)
      const token = { messageId, chunk: part, soFar, isFirst: before === undefined }
      run.log.append({ type: 'token', ...this.#event, token })
    }
    return {
      config: run.kwargs.config,
      context: run.kwargs.context ?? {},
      user,
      signal: abort.signal,
      sleep: (ms) => clock.sleep(ms, abort.signal),
      messageId: ids.message,
      interrupt,
      emit: (data) => run.log.append({ type: 'custom', ...this.#event, data }),
      tool: (tool) => run.log.append({ type: 'tool', ...this.#event, tool }),
      chunk,
      token: (messageId, text) => chunk(messageId, { content: text }),
      subgraph: (graph) => this.#runSubgraph(graph, interrupt),
    }
  }

  async #runSubgraph(
    graph: Graph,
    interrupt: NodeContext['interrupt'],
  ): Promise<Awaited<ReturnType<NodeContext['subgraph']>>> {
    const { run, abort } = this.#of
    const { clock, ids, reduceMessages: reduce } = this.#tools
    const { task, namespace: outer } = this.#event
    const namespace = [...outer, `${task.name}:${task.id}`]
    let values = this.#values
    let written: ValuesUpdate = { messages: [], channels: {} }
    let nodes: readonly string[] = [graph.entry]
    let step = 0
    let failure: { readonly error: unknown } | undefined

    const showValues = (): void => run.log.append({ type: 'subgraph', namespace, time: clock.now(), values })
    const work = (node: string): NodeWork => {
      const place = { task: newTask(ids, node), step, namespace, values }
      const running = new RunningNode(this.#of, this.#tools, place)
      running.start()
      return {
        node,
        context: running.context(interrupt),
        sent: undefined,
        written: undefined,
        finish: (update) => running.finish(update, values),
        interrupt: (value) => {
          failure = { error: new NodeInterrupt(value) }
        },
        fail: (error) => {
          running.fail(error)
          failure = { error }
        },
      }
    }
    showValues()
    await execute({
      graph,
      values,
      reduce,
      newId: ids.message,
      signal: abort.signal,
      startStep: () => {
        step++
        return nodes.map(work)
      },
      finishStep: (finished) => {
        values = finished.values
        nodes = finished.next
        for (const [, { messages, channels }] of finished.updates) {
          written = { messages: [...written.messages, ...messages], channels: { ...written.channels, ...channels } }
        }
        showValues()
        return true
      },
      stop: () => undefined,
    })
    if (failure !== undefined) throw failure.error
    for (const { id } of written.messages) this.#nested.add(id)
    return { ...plainUpdate(written), messages: written.messages }
  }
}

function runError(thrown: unknown): RunError {
  if (thrown instanceof Error) return { error: thrown.name, message: thrown.message }
  const message = typeof thrown === 'string' ? thrown : `A node threw a value of type ${typeof thrown}, not an Error`
  return { error: 'Error', message }
}
