import { setTimeout } from 'node:timers/promises'
import { retryPauseMs } from '../back-off.ts'
import type { ApiResponse } from '../http.ts'

/** How a creation is sent. */
interface CreationOptions {
  /**
   * Whether the request has a deliberate fault. The service may refuse it for that, so it is not repeated after 409, and only
   * a few times after 429 or 503.
   */
  readonly isFault: boolean
  /** Longest time until an export in progress ends, in milliseconds. */
  readonly exportMs: number
}

/** Queue for creations of exports, which a service may refuse while other exports are in progress. */
export interface CreationQueue {
  /** Sends a creation, and repeats it while the service refuses it because of other exports. Returns the last response. */
  send(create: () => Promise<ApiResponse>, options: CreationOptions): Promise<ApiResponse>
}

/** Maximum number of repetitions of a creation with a fault. */
const maxFaultRetries = 10

/** Creates a queue. Only its first request is repeated, so that the others neither overtake it nor flood the service. */
export function createCreationQueue(): CreationQueue {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  /** Kinds of requests whose latest repetitions were all refused. Such requests are sent once. */
  const inVain = new Set<'fault' | 'valid'>()

  return {
    async send(create, { isFault, exportMs }) {
      const kind = isFault ? 'fault' : 'valid'
      const isBusy = ({ status }: ApiResponse) => status === 429 || status === 503 || (status === 409 && !isFault)
      const repeat = async (): Promise<ApiResponse> => {
        const startedAt = performance.now()
        for (let attempt = 1; ; attempt++) {
          const response = await create()
          if (!isBusy(response) || inVain.has(kind)) return response
          if (isFault ? attempt > maxFaultRetries : performance.now() - startedAt > exportMs) inVain.add(kind)
          else await setTimeout(retryPauseMs(attempt))
        }
      }
      if (waiting === 0 || inVain.has(kind)) {
        const response = await create()
        if (!isBusy(response)) inVain.delete(kind)
        if (!isBusy(response) || inVain.has(kind)) return response
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
