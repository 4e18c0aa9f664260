import { NoResponse } from './errors.ts'

/** Pauses before a request is repeated, in milliseconds. */
const pausesMs = [100, 1000] as const

/**
 * Repeats a GET without a response, because a connection may break by chance. Requests with other methods are not repeated,
 * because they may have changed something.
 */
export async function retryGet<T>({ method, sendOnce }: RetryOptions, send: () => Promise<T>): Promise<T> {
  if (method !== 'GET' || sendOnce) return send()
  for (const pause of pausesMs) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      // Timeouts take long: one repetition is enough.
      if (isTimeout(error) && pause !== pausesMs[0]) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return send()
}

/** Properties of a request that decide whether it is repeated. */
interface RetryOptions {
  readonly method: string
  readonly sendOnce?: boolean | undefined
}

/** Whether a request has no response because of a timeout. */
export function isTimeout({ cause }: NoResponse): boolean {
  return cause instanceof Error && /Timeout/.test(cause.name)
}
