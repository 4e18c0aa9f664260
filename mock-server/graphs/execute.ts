import type { Graph } from './define.ts'
import type { GraphState, Node, NodeContext } from './types.ts'
import { applyUpdate, type GraphValues, type MessageReducer, readUpdate, type ValuesUpdate } from './values.ts'

/** Thrown by `interrupt`. The node runs again when the run is resumed. */
class NodeInterrupt extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('This node is interrupted. Do not catch this error, or throw it again.')
    this.name = 'NodeInterrupt'
    this.value = value
  }
}

/** Creates `interrupt` of a node: it returns the values of earlier resumptions in order, then interrupts the node. */
export function interruptions(resumeValues: readonly unknown[]): (value: unknown) => unknown {
  let resumed = 0
  return (value) => {
    if (resumed === resumeValues.length) throw new NodeInterrupt(value)
    return resumeValues[resumed++]
  }
}

/** The result of a node, and the state after it. */
export interface Finished {
  readonly update: ValuesUpdate
  readonly values: GraphValues
  /** The next node; undefined at the end of the graph. */
  readonly next: string | undefined
}

/** The execution of a node: its context, and the callbacks for its end. */
export interface NodeWork {
  readonly context: NodeContext
  /** The input of the node in place of the state. */
  readonly sent: GraphValues | undefined
  /** Called when the node has finished. Returns whether to continue. */
  finish(finished: Finished): boolean
  /** Called when the node interrupts the run. */
  interrupt(value: unknown): void
  /** Called when the node throws. */
  fail(error: unknown): void
}

export interface Execution {
  readonly graph: Graph
  /** The first node. */
  readonly start: string
  readonly values: GraphValues
  readonly reduce: MessageReducer
  readonly newId: () => string
  readonly signal: AbortSignal
  /** Called before a node runs. */
  readonly onNode: (node: string) => NodeWork
}

/**
 * Runs a graph node by node.
 *
 * Ends silently when `signal` is aborted; the result of the running node is dropped.
 */
export async function execute(execution: Execution): Promise<void> {
  const { graph, signal } = execution
  let { values, start: node } = execution
  while (!signal.aborted) {
    const work = execution.onNode(node)
    try {
      const written = await unlessAborted(
        async () => nodeOf(graph, node)(nodeState(work.sent ?? values), work.context),
        signal,
      )
      if (signal.aborted) return
      const update = readUpdate(checkedUpdate(node, written), { type: 'ai', newId: execution.newId })
      values = applyUpdate(values, update, execution.reduce)
      const next = graph.next(node, nodeState(values))
      if (!work.finish({ update, values, next }) || next === undefined) return
      node = next
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof NodeInterrupt) work.interrupt(error.value)
      else work.fail(error)
      return
    }
  }
}

function nodeOf(graph: Graph, name: string): Node {
  const node = graph.nodes.get(name)
  if (node === undefined) throw new Error(`The graph has no node "${name}", only ${[...graph.nodes.keys()].join(', ')}`)
  return node
}

/** Resolves with a node's result, or with nothing as soon as the run is aborted, even if the node ignores the signal. */
function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(undefined)
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

function checkedUpdate(node: string, written: unknown): Readonly<Record<string, unknown>> {
  if (written === undefined || written === null) return {}
  if (typeof written === 'object' && !Array.isArray(written)) return { ...written }
  const received = Array.isArray(written) ? 'an array' : typeof written
  throw new TypeError(`Node "${node}" must return an object of channel values or nothing, received ${received}`)
}

/** Returns the state for a node. Messages are converted to an array on first access. */
export function nodeState(values: GraphValues): GraphState {
  let messages: GraphState['messages'] | undefined
  return {
    ...values.channels,
    get messages() {
      messages ??= values.messages.toArray()
      return messages
    },
  }
}
