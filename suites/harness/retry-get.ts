import { NoResponse } from './errors.ts'

/** How long is waited before a request is asked again, in milliseconds: a connection may break more than once. */
const pausesMs = [100, 1000] as const

/**
 * Sends a GET that gets no response again a few times: a connection that breaks once shows nothing. A request that changes
 * something is never sent twice.
 */
export async function retryGet<T>({ method, sendOnce }: RetryOptions, ask: () => Promise<T>): Promise<T> {
  if (method !== 'GET' || sendOnce) return ask()
  for (const pause of pausesMs) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      // A silence has taken long enough: one more time shows whether it stays.
      if (isTimeout(error) && pause !== pausesMs[0]) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return ask()
}

/** What of a request decides whether it is sent again. */
interface RetryOptions {
  readonly method: string
  readonly sendOnce?: boolean | undefined
}

/** Whether a request was given up because no response came in time. */
export function isTimeout({ cause }: NoResponse): boolean {
  return cause instanceof Error && /Timeout/.test(cause.name)
}
