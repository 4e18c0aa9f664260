import { seededRandom } from '../../runtime/random.ts'
import { routePattern } from '../route-pattern.ts'
import type { Fault } from './fault.ts'

/** A fault that counts the calls of its route. */
export interface ActiveFault {
  readonly fault: Fault
  /** Calls of its route since it was added. */
  readonly calls: number
  /** Calls into which it was injected. */
  readonly hits: number
  /** Counts a request. Returns whether to inject the fault into it. */
  applies(method: string, path: string): boolean
}

/** Starts to count the calls of a fault's route. Throws a TypeError for an invalid route. */
export function activateFault(fault: Fault): ActiveFault {
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
