import type { Graph } from './define.ts'
import type { GraphState, Node, NodeContext } from './types.ts'
import { applyUpdate, type GraphValues, type MessageReducer, readUpdate, type ValuesUpdate } from './values.ts'

/** Thrown by `interrupt`. The node runs again when the run is resumed. */
export class NodeInterrupt extends Error {
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

/** The result of a step: the updates of its nodes, and the state after them. */
export interface FinishedStep {
  /** In the order in which they were applied. */
  readonly updates: readonly (readonly [node: string, update: ValuesUpdate])[]
  readonly values: GraphValues
  /** The next nodes; empty at the end of the graph. */
  readonly next: readonly string[]
}

/** The execution of a node: its context, and the callbacks for its end. */
export interface NodeWork {
  readonly node: string
  readonly context: NodeContext
  /** The input of the node in place of the state. */
  readonly sent: GraphValues | undefined
  /** The result of the node in an earlier run, in which another node of its step did not finish. It does not run again. */
  readonly written: ValuesUpdate | undefined
  /** Called when the node has finished. */
  finish(update: ValuesUpdate): void
  /** Called when the node interrupts the run. */
  interrupt(value: unknown): void
  /** Called when the node throws. */
  fail(error: unknown): void
}

export interface Execution {
  readonly graph: Graph
  readonly values: GraphValues
  readonly reduce: MessageReducer
  readonly newId: () => string
  readonly signal: AbortSignal
  /** Called before a step. Returns its nodes, which run concurrently. */
  readonly startStep: () => readonly NodeWork[]
  /** Called when all nodes of a step have finished. Returns whether to continue. */
  readonly finishStep: (finished: FinishedStep) => boolean
  /** Called when a node of a step is interrupted and all others have finished. */
  readonly stop: () => void
}

/**
 * Runs a graph step by step.
 *
 * Ends silently when `signal` is aborted; the results of the running nodes are dropped.
 */
export async function execute(execution: Execution): Promise<void> {
  const { signal, reduce } = execution
  let { values } = execution
  for (let isRunning = true; isRunning; ) {
    const works = execution.startStep()
    const ended = await Promise.all(works.map((work) => runNode(execution, work, values)))
    if (signal.aborted) return
    const results = ended.filter((result) => result !== undefined).toSorted(inOrderOfUpdates)
    const [first, ...others] = results
    if (first === undefined || results.length < works.length) return execution.stop()
    values = others.reduce((state, { update }) => applyUpdate(state, update, reduce), first.values)
    const next = [...new Set(results.flatMap((result) => result.next ?? []))]
    const updates = results.map(({ work, update }) => [work.node, update] as const)
    isRunning = execution.finishStep({ updates, values, next }) && next.length > 0
  }
}

/** The result of a node, and the state and the next node after it. */
interface NodeResult {
  readonly work: NodeWork
  readonly update: ValuesUpdate
  readonly values: GraphValues
  readonly next: string | undefined
}

/** Like LangGraph, applies updates in the order of node names, then those of nodes with an input of their own. */
function inOrderOfUpdates({ work: a }: NodeResult, { work: b }: NodeResult): number {
  if (a.sent !== undefined || b.sent !== undefined) return Number(a.sent !== undefined) - Number(b.sent !== undefined)
  return a.node < b.node ? -1 : 1
}

/** Runs a node. Returns undefined if it is interrupted or fails, or if `signal` is aborted. */
async function runNode(
  { graph, signal, newId, reduce }: Execution,
  work: NodeWork,
  values: GraphValues,
): Promise<NodeResult | undefined> {
  const { node, context, sent } = work
  try {
    const update = work.written ?? (await written())
    if (update === undefined) return undefined
    const after = applyUpdate(values, update, reduce)
    const next = graph.next(node, nodeState(after))
    if (work.written === undefined) work.finish(update)
    return { work, update, values: after, next }
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof NodeInterrupt) work.interrupt(error.value)
    else work.fail(error)
    return undefined
  }

  async function written(): Promise<ValuesUpdate | undefined> {
    const value = await unlessAborted(async () => nodeOf(graph, node)(nodeState(sent ?? values), context), signal)
    return signal.aborted ? undefined : readUpdate(checkedUpdate(node, value), { type: 'ai', newId })
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
