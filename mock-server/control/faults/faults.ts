import type { Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { befall } from './befall.ts'
import type { Fault } from './fault.ts'
import { FAULT_HEADER, parseFaults } from './header.ts'
import { type Rule, startRule } from './rule.ts'
import { checkFault } from './schema.ts'

/** A fault in force, and how often it came about. */
export interface FaultCount {
  readonly id: string
  readonly fault: Fault
  /** Calls of its route since it has been in force. */
  readonly calls: number
  /** How many of them it befell. */
  readonly hits: number
}

/** What goes wrong between the clients of a server and the server. */
export interface Faults {
  /**
   * Puts a fault in force; of several that befall a request, the first one stands outermost.
   * Returns a function that takes it back. Throws a TypeError in words for what is no fault.
   *
   * @example const remove = mock.faults.add({ type: 'status', status: 503, route: 'POST /threads', first: 2 })
   */
  add(fault: Fault): () => void
  /** The faults in force, in the order in which they came. */
  list(): readonly FaultCount[]
  /** Takes back the fault with this id; false where there is none. */
  remove(id: string): boolean
  /** Takes back all faults. */
  clear(): void
}

/** How faults are set up. */
export interface FaultSettings {
  readonly clock: Clock
  /** Those in force from the beginning. */
  readonly initial: readonly Fault[]
  /** Whether requests may name faults in a header. */
  readonly byHeader: boolean
}

/** Faults, and the way of a request through them. */
export interface FaultLayer extends Faults {
  /** Whether a request can meet a fault at all. */
  readonly active: boolean
  /** The answer to a request by a server that the faults befall. */
  answer(request: Request, server: Handler): Handler
  /** Puts the first faults in force again, as new, and takes back all others. */
  restart(): void
}

// A client that makes up headers does not fill the memory.
const MOST_HEADERS = 1000

export function createFaults({ clock, initial, byHeader }: FaultSettings): FaultLayer {
  const rules = new Map<string, Rule>()
  const ofHeaders = new Map<string, readonly Rule[]>()
  let added = 0
  const add = (fault: Fault): string => {
    const id = String(++added)
    rules.set(id, startRule(checkFault(fault)))
    return id
  }
  const rulesOf = (header: string | null): readonly Rule[] => {
    if (header === null) return []
    const known = ofHeaders.get(header)
    if (known !== undefined) return known
    const made = parseFaults(header).map(startRule)
    const [oldest] = ofHeaders.keys()
    if (ofHeaders.size >= MOST_HEADERS && oldest !== undefined) ofHeaders.delete(oldest)
    ofHeaders.set(header, made)
    return made
  }
  const restart = (): void => {
    rules.clear()
    ofHeaders.clear()
    for (const fault of initial) add(fault)
  }
  restart()
  return {
    get active() {
      return byHeader || rules.size > 0
    },
    answer: (request, server) => {
      const { pathname } = new URL(request.url)
      const header = byHeader ? request.headers.get(FAULT_HEADER) : null
      let named: readonly Rule[]
      try {
        named = rulesOf(header)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        const detail = `${FAULT_HEADER}: ${error.message}`
        return async () => Response.json({ detail }, { status: 400 })
      }
      // What a browser asks beforehand is no call of the client.
      if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) return server
      return [...rules.values(), ...named]
        .filter((rule) => rule.befalls(request.method, pathname))
        .reduceRight((inner, { fault }) => befall(fault, clock, inner), server)
    },
    add: (fault) => {
      const id = add(fault)
      return () => {
        rules.delete(id)
      }
    },
    list: () => Array.from(rules, ([id, { fault, calls, hits }]) => ({ id, fault, calls, hits })),
    remove: (id) => rules.delete(id),
    clear: () => rules.clear(),
    restart,
  }
}
