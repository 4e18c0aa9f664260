import type { Handler } from '../../http/handler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { seededRandom } from '../../runtime/random.ts'
import { routePattern } from '../route-pattern.ts'
import type { Fault } from './fault.ts'
import { FAULT_HEADER, parseFaults } from './header.ts'
import { inject } from './inject.ts'
import { checkFault } from './schema.ts'

/** An active fault, and how often it was injected. */
export interface FaultCount {
  readonly id: string
  readonly fault: Fault
  /** Calls of its route since it was added. */
  readonly calls: number
  /** Calls into which it was injected. */
  readonly hits: number
}

/** The faults that a mock server injects into requests and responses. */
export interface Faults {
  /**
   * Adds a fault and returns a function that removes it. Of several faults, the one added first changes the request
   * first and the response last.
   *
   * Throws a TypeError for an invalid fault.
   *
   * @example
   * const remove = mock.faults.add({ type: 'status', status: 503, route: 'POST /threads', first: 2 })
   */
  add(fault: Fault): () => void
  /** Returns the active faults in the order in which they were added. */
  list(): readonly FaultCount[]
  /** Removes the fault with this id. Returns false for an unknown id. */
  remove(id: string): boolean
  /** Removes all faults. */
  clear(): void
}

/** Options of the fault injector. */
export interface FaultSettings {
  readonly clock: Clock
  /** The faults that are active from the start. */
  readonly initial: readonly Fault[]
  /** Whether requests may name faults in a header. */
  readonly byHeader: boolean
}

/** Injects faults into requests and responses. */
export interface FaultInjector extends Faults {
  /** Returns the handler of a request: the server with the faults that apply. */
  inject(request: Request, server: Handler): Handler
  /** Returns to the initial faults and counts their calls from 1 again. */
  restart(): void
}

// Bounds the memory for clients that send a new header with every request.
const MAX_HEADERS = 1000

/** Creates a fault injector. Throws a TypeError for an invalid fault. */
export function createFaults({ clock, initial, byHeader }: FaultSettings): FaultInjector {
  const active = new Map<string, ActiveFault>()
  const byHeaderValue = new Map<string, readonly ActiveFault[]>()
  let added = 0

  const add = (fault: Fault): string => {
    const id = String(++added)
    active.set(id, activateFault(checkFault(fault)))
    return id
  }
  const faultsOfHeader = (value: string | null): readonly ActiveFault[] => {
    if (value === null) return []
    const existing = byHeaderValue.get(value)
    if (existing !== undefined) return existing
    const parsed = parseFaults(value).map(activateFault)
    const [oldest] = byHeaderValue.keys()
    if (byHeaderValue.size >= MAX_HEADERS && oldest !== undefined) byHeaderValue.delete(oldest)
    byHeaderValue.set(value, parsed)
    return parsed
  }
  const restart = (): void => {
    active.clear()
    byHeaderValue.clear()
    for (const fault of initial) add(fault)
  }
  restart()

  return {
    inject: (request, server) => {
      if (!byHeader && active.size === 0) return server
      let named: readonly ActiveFault[]
      try {
        named = faultsOfHeader(byHeader ? request.headers.get(FAULT_HEADER) : null)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        const detail = `${FAULT_HEADER}: ${error.message}`
        return async () => Response.json({ detail }, { status: 400 })
      }
      // A CORS preflight request does not count as a call.
      if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) return server
      const { pathname } = new URL(request.url)
      return [...active.values(), ...named]
        .filter((fault) => fault.applies(request.method, pathname))
        .reduceRight((handler, { fault }) => inject(fault, clock, handler), server)
    },
    add: (fault) => {
      const id = add(fault)
      return () => {
        active.delete(id)
      }
    },
    list: () => Array.from(active, ([id, { fault, calls, hits }]) => ({ id, fault, calls, hits })),
    remove: (id) => active.delete(id),
    clear: () => active.clear(),
    restart,
  }
}

/** A fault that counts the calls of its route. */
interface ActiveFault {
  readonly fault: Fault
  /** Calls of its route since it was added. */
  readonly calls: number
  /** Calls into which it was injected. */
  readonly hits: number
  /** Counts a request. Returns whether to inject the fault into it. */
  applies(method: string, path: string): boolean
}

/** Starts to count the calls of a fault's route. Throws a TypeError for an invalid route. */
function activateFault(fault: Fault): ActiveFault {
  const { route, nth, first = Number.POSITIVE_INFINITY, from = 1, probability = 1, seed = 0 } = fault
  const matches = route === undefined ? () => true : routePattern(route)
  const random = seededRandom(seed)
  let calls = 0
  let hits = 0
  return {
    fault,
    get calls() {
      return calls
    },
    get hits() {
      return hits
    },
    applies: (method, path) => {
      if (!matches(method, path)) return false
      calls++
      if ((nth ?? calls) !== calls || calls > first || calls < from) return false
      if (probability < 1 && random() >= probability) return false
      hits++
      return true
    },
  }
}
