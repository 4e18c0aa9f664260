import { seededRandom } from '../../runtime/random.ts'
import { routePattern } from '../route-pattern.ts'
import type { Fault } from './fault.ts'

/** A fault that is in force. */
export interface Rule {
  readonly fault: Fault
  /** Calls of its route since it has been in force. */
  readonly calls: number
  /** How many of them it befell. */
  readonly hits: number
  /** Counts a request, and tells whether the fault befalls it. */
  befalls(method: string, path: string): boolean
}

/** A fault that counts from now on. */
export function startRule(fault: Fault): Rule {
  const { route, nth, first = Number.POSITIVE_INFINITY, from = 1, probability = 1, seed = 0 } = fault
  const fits = route === undefined ? () => true : routePattern(route)
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
    befalls: (method, path) => {
      if (!fits(method, path)) return false
      calls++
      if ((nth ?? calls) !== calls || calls > first || calls < from) return false
      if (probability < 1 && random() >= probability) return false
      hits++
      return true
    },
  }
}
