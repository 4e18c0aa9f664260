/** How to convert the objects of a class to and from JSON. */
export interface Kind<T = unknown> {
  readonly name: string
  readonly is: (value: unknown) => value is T
  /** Returns the content: JSON, or objects of any kind. */
  readonly content: (value: T) => unknown
  readonly make: (content: unknown) => T
}

/**
 * An object graph as a flat list of nodes. A node is a JSON scalar, or an array of its kind and the indices of other nodes.
 * The last node is the root.
 */
export type ObjectGraph = readonly unknown[]

const SETS: Kind<ReadonlySet<unknown>> = {
  name: 'set',
  is: (value) => value instanceof Set,
  content: (set) => [...set],
  make: (content) => new Set(content as unknown[]),
}

const MAPS: Kind<ReadonlyMap<unknown, unknown>> = {
  name: 'map',
  is: (value) => value instanceof Map,
  content: (map) => [...map],
  make: (content) => new Map(content as [unknown, unknown][]),
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/**
 * Converts a value to an object graph.
 *
 * A value with several references becomes one node, so that states which share their messages stay small. Undefined fields,
 * and functions without a kind, are left out.
 */
export function toObjectGraph(root: unknown, kinds: readonly Kind[]): ObjectGraph {
  const nodes: unknown[] = []
  const indices = new Map<unknown, number>()
  const all: readonly Kind[] = [...kinds, SETS as Kind, MAPS as Kind]
  const put = (value: unknown): number => {
    const existing = indices.get(value)
    if (existing !== undefined) return existing
    // Nodes come after those that they refer to.
    const node = isObject(value) ? toNode(value) : (value ?? null)
    const index = nodes.push(node) - 1
    indices.set(value, index)
    return index
  }
  const toNode = (value: object): unknown => {
    if (Array.isArray(value)) return ['array', ...value.map(put)]
    const kind = all.find(({ is }) => is(value))
    if (kind !== undefined) return [kind.name, put(kind.content(value))]
    const fields = Object.entries(value).filter(([, field]) => isKept(field))
    return ['object', ...fields.flatMap(([name, field]) => [name, put(field)])]
  }
  const isKept = (field: unknown): boolean =>
    field !== undefined && (typeof field !== 'function' || all.some(({ is }) => is(field)))
  put(root)
  return nodes
}

/** Converts an object graph back to its value. Throws a TypeError for an invalid graph. */
export function fromObjectGraph(nodes: ObjectGraph, kinds: readonly Kind[]): unknown {
  const makers = new Map([...kinds, SETS as Kind, MAPS as Kind].map(({ name, make }) => [name, make]))
  const values: unknown[] = []
  const at = (index: unknown): unknown => {
    if (typeof index === 'number' && index >= 0 && index < values.length) return values[index]
    throw new TypeError('the state refers to a value that it does not have')
  }
  const toValue = (node: unknown): unknown => {
    if (!Array.isArray(node)) return node
    const [name, ...references]: unknown[] = node
    if (name === 'array') return references.map(at)
    if (name === 'object') {
      const pairs = references.flatMap((key, index) =>
        index % 2 === 0 ? [[key, at(references[index + 1])] as const] : [],
      )
      return Object.fromEntries(pairs)
    }
    const make = makers.get(String(name))
    if (make === undefined) throw new TypeError(`the state has an object of the unknown kind ${JSON.stringify(name)}`)
    return make(at(references[0]))
  }
  for (const node of nodes) values.push(toValue(node))
  return values.at(-1)
}
