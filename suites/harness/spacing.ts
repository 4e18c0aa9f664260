import { setTimeout } from 'node:timers/promises'

/** The time between two requests to an endpoint, for servers that refuse requests which come too fast. */
export interface Spacing {
  /** Waits until a request may be sent. Returns the time, in milliseconds of `performance.now()`. */
  untilTurn(): Promise<number>
  /** Records that a request which was sent at a time was refused, because requests come too fast. */
  refused(sentAt: number): void
  /** Records that a request was not refused so. */
  accepted(): void
}

/** The shortest and the longest time between two requests after a refusal, in milliseconds. */
const [shortestMs, longestMs] = [2, 100]

/** Requests within this time are sent together: some scenarios need concurrent requests. In milliseconds. */
const togetherMs = 1

/** The time after a refusal, as a multiple of the time between the requests that were accepted in the last second. */
const margin = 1.2

/** Factor of the time after each accepted request: the server may accept more. */
const decrease = 0.99

/**
 * Creates the spacing of an endpoint: none before the first refusal. If refused requests were only repeated, they would take the
 * place of others, which are refused in turn, until a request was repeated too often.
 */
export function createSpacing(): Spacing {
  let gapMs = 0
  let changedAt = 0
  let groupAt = 0
  let turnAt = 0
  let nextAt = 0
  const acceptedAt: number[] = []
  const acceptedInLastSecond = () => {
    while ((acceptedAt[0] ?? Infinity) < performance.now() - 1000) acceptedAt.shift()
    return acceptedAt.length
  }
  return {
    async untilTurn() {
      const now = performance.now()
      if (now - groupAt > togetherMs) {
        groupAt = now
        turnAt = Math.max(now, nextAt)
      }
      nextAt = Math.max(turnAt, nextAt) + gapMs
      if (turnAt > now) await setTimeout(turnAt - now)
      return performance.now()
    },
    refused(sentAt) {
      // The refusal of an earlier request says nothing about the present time.
      if (sentAt < changedAt) return
      gapMs = Math.min(longestMs, Math.max(shortestMs, (margin * 1000) / acceptedInLastSecond()))
      changedAt = performance.now()
    },
    accepted() {
      acceptedAt.push(performance.now())
      acceptedInLastSecond()
      gapMs = gapMs < shortestMs / 2 ? 0 : gapMs * decrease
    },
  }
}
