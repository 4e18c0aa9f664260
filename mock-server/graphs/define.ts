import type { GraphState, Node, NodeContext } from './types.ts'

/** A graph that the server can run. Create it with `defineGraph`. */
export interface Graph {
  readonly kind: 'touchstone.graph'
  readonly nodes: ReadonlyMap<string, Node>
  /** The node that runs first. */
  readonly entry: string
  /** Returns the node after a finished one; undefined ends the run. */
  readonly next: (finished: string, state: GraphState) => string | undefined
  /** Whether nodes run in the order of their definition, or `next` chooses them. */
  readonly order: 'listed' | 'chosen'
  /** Returns the graph of one run, if runs differ from each other. */
  readonly forRun?: ForRun
  /** Returns how a later run resumes this one, if runs differ from each other. */
  readonly remaining?: () => ForRun
}

/** Returns the graph of one run. `state` is its initial state, including the input. */
export type ForRun = (run: RunView, state: GraphState) => Graph

/** The run that a graph executes. */
export interface RunView {
  readonly run_id: string
  readonly thread_id: string
  /** The input; null without one. */
  readonly input: unknown
  readonly config: NodeContext['config']
  readonly user: NodeContext['user']
}

/** The definition of a graph. */
export interface GraphDefinition {
  /** The nodes by name. The first one runs first. */
  readonly nodes: Readonly<Record<string, Node>>
  /**
   * Returns the name of the node after a finished one; undefined ends the run.
   *
   * @default the nodes in the order of their definition
   */
  readonly next?: (finished: string, state: GraphState) => string | undefined
}

/**
 * Defines a graph from its nodes.
 *
 * @example
 * export const graph = defineGraph({
 *   nodes: {
 *     greet: () => ({ messages: [{ role: 'ai', content: 'hello' }] }),
 *   },
 * })
 */
export function defineGraph(definition: GraphDefinition): Graph {
  const names = Object.keys(definition.nodes)
  const [entry] = names
  if (entry === undefined) throw new TypeError('A graph needs at least one node, received none')
  for (const [name, node] of Object.entries(definition.nodes)) {
    if (typeof node !== 'function') throw new TypeError(`Node "${name}" must be a function, received ${typeof node}`)
  }
  return {
    kind: 'touchstone.graph',
    nodes: new Map(Object.entries(definition.nodes)),
    entry,
    order: definition.next === undefined ? 'listed' : 'chosen',
    next: definition.next ?? ((finished) => names[names.indexOf(finished) + 1]),
  }
}

/** Whether a value is a graph that this server can run. */
export function isGraph(value: unknown): value is Graph {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'touchstone.graph'
}
