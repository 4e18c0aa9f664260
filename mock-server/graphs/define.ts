import type { Graph, GraphState, Node } from './types.ts'

export type { ForRun, Graph, RunView } from './types.ts'

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
