import { setTimeout } from 'node:timers/promises'
import type { Intent } from '../../trace/entries.ts'
import { isLimitRefusal } from '../../values/export/limit-refusal.ts'
import { retryPauseMs } from '../back-off.ts'
import type { ApiResponse } from '../http.ts'

/** How a creation is sent. */
interface CreationOptions {
  /**
   * A service may refuse a deliberate fault with any 4xx status, so the request is repeated only after 429 and 503. It may refuse
   * a probe, too: both are repeated only a few times.
   */
  readonly intent: Intent
  /** Longest time until another export has ended or a schedule is cancelled, in milliseconds. */
  readonly longestMs: number
}

/** Queue for creations of exports, which a service may refuse while other exports are in progress. */
export interface CreationQueue {
  /** Sends a creation, and repeats it while the service refuses it because of other exports. Returns the last response. */
  send(create: () => Promise<ApiResponse>, options: CreationOptions): Promise<ApiResponse>
}

/** Maximum number of repetitions of a creation that the service may refuse for its content. */
const maxRetries = 10

/**
 * Creates a queue. Only its first request is repeated, so that the others neither overtake it nor flood the service. Deliberate
 * faults are sent at once: a service refuses them for their content, also when it allows no more exports.
 */
export function createCreationQueue(): CreationQueue {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  /** Kinds of requests whose latest repetitions were all refused. Such requests are sent once. */
  const inVain = new Set<Intent>()

  return {
    async send(create, { intent, longestMs }) {
      const isBusy = (response: ApiResponse) =>
        intent === 'fault' ? [429, 503].includes(response.status) : isLimitRefusal(response)
      const repeat = async (): Promise<ApiResponse> => {
        const startedAt = performance.now()
        for (let attempt = 1; ; attempt++) {
          const response = await create()
          if (!isBusy(response) || inVain.has(intent)) return response
          const isLong = intent === 'documented' ? performance.now() - startedAt > longestMs : attempt > maxRetries
          if (isLong) inVain.add(intent)
          else await setTimeout(retryPauseMs(attempt))
        }
      }
      if (waiting === 0 || inVain.has(intent) || intent === 'fault') {
        const response = await create()
        if (!isBusy(response)) inVain.delete(intent)
        if (!isBusy(response) || inVain.has(intent)) return response
      }
      waiting += 1
      const turn = last.then(repeat)
      last = turn.catch(() => undefined)
      return turn.finally(() => {
        waiting -= 1
      })
    },
  }
}
