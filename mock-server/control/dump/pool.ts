/** Objects of a class that JSON does not know, as something that it does. */
export interface Kind<T = unknown> {
  readonly name: string
  readonly is: (value: unknown) => value is T
  /** What it is made of: JSON, or objects of these kinds again. */
  readonly parts: (value: T) => unknown
  readonly make: (parts: unknown) => T
}

/**
 * Values as a list without nesting: each is JSON's own, or an array that begins with what it is and refers to others by
 * their place. The last one is the whole.
 */
export type Pool = readonly unknown[]

const SETS: Kind<ReadonlySet<unknown>> = {
  name: 'set',
  is: (value) => value instanceof Set,
  parts: (set) => [...set],
  make: (parts) => new Set(parts as unknown[]),
}

const MAPS: Kind<ReadonlyMap<unknown, unknown>> = {
  name: 'map',
  is: (value) => value instanceof Map,
  parts: (map) => [...map],
  make: (parts) => new Map(parts as [unknown, unknown][]),
}

const isMade = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/**
 * Takes a value apart. What is referred to in several places stands once, so that a thread of many states that share their
 * messages stays small. Keys without a value are left out, and functions that are of none of the kinds.
 */
export function toPool(whole: unknown, kinds: readonly Kind[]): Pool {
  const pool: unknown[] = []
  const places = new Map<unknown, number>()
  const all: readonly Kind[] = [...kinds, SETS as Kind, MAPS as Kind]
  const put = (value: unknown): number => {
    const known = places.get(value)
    if (known !== undefined) return known
    // What it refers to stands before it.
    const node = isMade(value) ? taken(value) : (value ?? null)
    const place = pool.push(node) - 1
    places.set(value, place)
    return place
  }
  const taken = (value: object): unknown => {
    if (Array.isArray(value)) return ['array', ...value.map(put)]
    const kind = all.find(({ is }) => is(value))
    if (kind !== undefined) return [kind.name, put(kind.parts(value))]
    const fields = Object.entries(value).filter(([, field]) => isKept(field))
    return ['object', ...fields.flatMap(([name, field]) => [name, put(field)])]
  }
  const isKept = (field: unknown): boolean =>
    field !== undefined && (typeof field !== 'function' || all.some(({ is }) => is(field)))
  put(whole)
  return pool
}

/** Puts a value together again. Throws a TypeError for a pool that is none. */
export function fromPool(pool: Pool, kinds: readonly Kind[]): unknown {
  const makers = new Map([...kinds, SETS as Kind, MAPS as Kind].map(({ name, make }) => [name, make]))
  const values: unknown[] = []
  const at = (place: unknown): unknown => {
    if (typeof place === 'number' && place >= 0 && place < values.length) return values[place]
    throw new TypeError('the state refers to what is not in it')
  }
  const made = (node: unknown): unknown => {
    if (!Array.isArray(node)) return node
    const [name, ...parts]: unknown[] = node
    if (name === 'array') return parts.map(at)
    if (name === 'object') {
      const pairs = parts.flatMap((part, index) => (index % 2 === 0 ? [[part, at(parts[index + 1])] as const] : []))
      return Object.fromEntries(pairs)
    }
    const make = makers.get(String(name))
    if (make === undefined) throw new TypeError(`the state has an object of the unknown kind ${JSON.stringify(name)}`)
    return make(at(parts[0]))
  }
  for (const node of pool) values.push(made(node))
  return values.at(-1)
}
