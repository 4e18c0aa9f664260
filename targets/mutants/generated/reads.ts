import { isObject } from '../../../suites/catalog/facts.ts'
import type { EndpointModel } from '../../../suites/model/endpoint.ts'
import type { EndpointLog, Exchange } from '../../../suites/model/exchange.ts'

// A rule is a pure function of the trace, so a mutation can change its result only if it reads what the mutation
// changed. What it reads is recorded once: then a mutation needs some of hundreds of rules only.

/** Parts of responses: `GET /threads status` for the status, `GET /threads json [].status` for a value in the body. */
type Parts = Set<string>

/** Parts of the response that a mutation can change, apart from the values in `json`. */
const parts = ['accepted', 'fate', 'status', 'headers', 'text', 'json', 'events', 'headAt', 'endedAt', 'closedAt'] as const

/** Records what functions read of a log. */
export interface ReadRecorder {
  /** The log; reading it is recorded. */
  readonly log: EndpointLog
  /** Returns the result of a function and everything that it read. */
  record<T>(read: () => T): { readonly result: T; readonly parts: ReadonlySet<string> }
  /** Returns a model whose selectors are applied once, with what they read. */
  watch<Model extends EndpointModel>(model: Model): Model
}

/** Creates a recorder of a log. */
export function createReadRecorder(log: EndpointLog): ReadRecorder {
  const frames: Parts[] = []
  const note = (part: string) => frames.at(-1)?.add(part)
  const inFrame = <T>(read: () => T) => {
    const frame: Parts = new Set()
    frames.push(frame)
    const result = read()
    frames.pop()
    return { result, parts: frame }
  }
  return {
    log: { ...log, exchanges: log.exchanges.map((exchange) => watchExchange(exchange, note)) },
    record: inFrame,
    watch: (model) => ({ ...model, selected: watchSelectors(frames) }),
  }
}

/** A memory of selectors that also keeps what each of them read. */
function watchSelectors(frames: Parts[]): Map<unknown, readonly unknown[]> {
  const readBy = new Map<unknown, Parts>()
  const leave = (selector: unknown) => {
    const frame = readBy.get(selector) ?? new Set()
    for (const part of frame) frames.at(-1)?.add(part)
  }
  return new (class extends Map<unknown, readonly unknown[]> {
    override get(selector: unknown): readonly unknown[] | undefined {
      const known = super.get(selector)
      if (known === undefined) frames.push(new Set())
      else leave(selector)
      return known
    }

    override set(selector: unknown, items: readonly unknown[]): this {
      readBy.set(selector, frames.pop() ?? new Set())
      leave(selector)
      return super.set(selector, items)
    }
  })()
}

type Note = (part: string) => void

function watchExchange(exchange: Exchange, note: Note): Exchange {
  const known = new WeakMap<object, unknown>()
  return new Proxy(exchange, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof name !== 'string' || !(parts as readonly string[]).includes(name)) return value
      note(`${exchange.operation} ${name}`)
      return name === 'json' ? watchValue(value, `${exchange.operation} json `, '', note, known) : value
    },
    ownKeys(target) {
      for (const name of parts) note(`${exchange.operation} ${name}`)
      return Reflect.ownKeys(target)
    },
  })
}

function watchValue(value: unknown, prefix: string, path: string, note: Note, known: WeakMap<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const existing = known.get(value)
  if (existing !== undefined) return existing
  const pathOf = (name: string) => childPath(value, path, name)
  const watched: unknown = new Proxy(value, {
    get(target, name) {
      if (typeof name !== 'string' || (Array.isArray(target) && !/^\d+$/.test(name))) {
        if (name === 'length') note(`${prefix}${path} keys`)
        return Reflect.get(target, name)
      }
      note(`${prefix}${pathOf(name)}`)
      return watchValue(Reflect.get(target, name), prefix, pathOf(name), note, known)
    },
    has(target, name) {
      if (typeof name === 'string') note(`${prefix}${pathOf(name)}`)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      if (typeof name === 'string') note(`${prefix}${pathOf(name)}`)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      note(`${prefix}${path} keys`)
      return Reflect.ownKeys(target)
    },
  })
  known.set(value, watched)
  return watched
}

/** The path of a value in an object or array; elements of an array have the same path. */
function childPath(parent: object, path: string, name: string): string {
  if (Array.isArray(parent)) return `${path}[]`
  return path === '' ? name : `${path}.${name}`
}

/** Returns the parts in which two responses to the same request differ. */
export function changedParts(before: Exchange, after: Exchange): ReadonlySet<string> {
  const changed: Parts = new Set()
  for (const name of parts) {
    if (name !== 'json' && before[name] !== after[name]) changed.add(`${before.operation} ${name}`)
  }
  compare(before.json, after.json, `${before.operation} json `, '', changed)
  return changed
}

function compare(before: unknown, after: unknown, prefix: string, path: string, changed: Parts): void {
  const areArrays = Array.isArray(before) && Array.isArray(after)
  if (!areArrays && !(isObject(before) && isObject(after))) {
    if (before === after) return
    changed.add(`${prefix}${path}`)
    // A body of another type is another body.
    if (path === '') changed.add(prefix.trimEnd())
    return
  }
  const [old, next] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const isSameShape = names.size === Object.keys(before).length && names.size === Object.keys(after).length
  if (!isSameShape) changed.add(`${prefix}${path} keys`)
  for (const name of names) compare(old?.[name], next?.[name], prefix, childPath(before, path, name), changed)
}

/** Returns every part that decides whether something that reads these parts is affected: values above them, too. */
export function withContainers(read: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(read)
  for (const part of read) {
    for (let at = part.length; at > 0; at = Math.max(part.lastIndexOf('.', at - 1), part.lastIndexOf('[]', at - 1)))
      all.add(part.slice(0, at))
  }
  return all
}
