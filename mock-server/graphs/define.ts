import type { GraphState, Node, NodeContext } from './types.ts'

/** A graph that the server can run: made by `defineGraph`. */
export interface Graph {
  readonly kind: 'touchstone.graph'
  readonly nodes: ReadonlyMap<string, Node>
  /** The node that runs first. */
  readonly entry: string
  /** The node that follows a finished one; undefined ends the run. */
  readonly next: (finished: string, state: GraphState) => string | undefined
  /** Whether its nodes run as they are listed, or `next` was given and chooses. */
  readonly order: 'listed' | 'chosen'
  /** The graph as one run takes it, where every run has a way of its own. */
  readonly forRun?: ForRun
  /** How a later run goes on from where this one stands, where every run has a way of its own. */
  readonly remaining?: () => ForRun
}

/** Makes the graph of one run; `state` is what it begins with, its input included. */
export type ForRun = (run: RunView, state: GraphState) => Graph

/** A run as its graph sees it. */
export interface RunView {
  readonly run_id: string
  readonly thread_id: string
  /** The input as it was given; null where the run has none. */
  readonly input: unknown
  readonly config: NodeContext['config']
  readonly user: NodeContext['user']
}

/** What a graph is made of. */
export interface GraphDefinition {
  /** The nodes by name; the first one is run first. */
  readonly nodes: Readonly<Record<string, Node>>
  /**
   * Names the node that follows a finished one, undefined to end.
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
