import { isObject, uuidsIn } from '../catalog/facts.ts'
import type { Exchange } from '../model/exchange.ts'
import { textsIn } from '../values/json.ts'

/** The accepted requests that created something, by its id. */
export type Creators = ReadonlyMap<string, Exchange>

/** Finds the requests that created something: their responses show an id that the requests do not name. */
export function creatorsIn(exchanges: readonly Exchange[]): Creators {
  const creators = new Map<string, Exchange>()
  for (const exchange of exchanges) {
    if (exchange.method !== 'POST' || !exchange.accepted || !isObject(exchange.json)) continue
    const named = new Set(namedBy(exchange))
    for (const [key, id] of Object.entries(exchange.json)) {
      const isId = /^(.*_)?id$/.test(key) && typeof id === 'string'
      if (isId && !named.has(id) && !creators.has(id)) creators.set(id, exchange)
    }
  }
  return creators
}

/** Most requests that are shown as the origin of what was received. */
const mostOrigins = 2

/** Finds the requests that created the objects whose ids were received. */
export function originsOf(received: string, creators: Creators): readonly Exchange[] {
  const origins = uuidsIn(received).flatMap((id) => creators.get(id) ?? [])
  return [...new Set(origins)].slice(0, mostOrigins)
}

/** Adds the requests that created what exchanges name, and what those requests name. */
export function withCreators(exchanges: readonly Exchange[], creators: Creators): ReadonlySet<Exchange> {
  const all = new Set(exchanges)
  // The loop also reaches the exchanges that it adds.
  for (const exchange of all) {
    for (const id of namedBy(exchange)) {
      const creator = creators.get(id)
      if (creator !== undefined && creator.id < exchange.id) all.add(creator)
    }
  }
  return all
}

/** Returns the ids in the path of a request, and all texts in its body. */
function namedBy({ params, request }: Exchange): readonly string[] {
  return [...Object.values(params), ...textsIn(request)]
}
