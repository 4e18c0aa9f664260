import { NoResponse } from '../harness/errors.ts'
import type { ApiRequest, Http } from '../harness/http.ts'
import type { Session } from '../harness/session.ts'
import { poll } from '../harness/waiting.ts'
import { UsageError } from '../values/usage-error.ts'
import { permanentFailure } from './permanent-failure.ts'

/** Called with the URL of an endpoint that is not ready yet, and the maximum wait in milliseconds. */
export type WaitingListener = (url: string, maxWaitMs: number) => void

/** Waits until the endpoint returns any response except 502, 503 and 504. */
export async function untilReady(
  session: Session,
  http: Http,
  request: ApiRequest,
  onWaiting: WaitingListener,
): Promise<void> {
  const waiting = noticeOnce(() => onWaiting(session.endpoint.url, session.budgets.readyMs))
  const patient = { ...session, budgets: { ...session.budgets, waitMs: session.budgets.readyMs } }
  let last = ''
  const probe = async () => {
    try {
      const response = await http.send({ ...request, sendOnce: true })
      last = `HTTP ${response.status}`
      if (![502, 503, 504].includes(response.status)) return response
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      const why = await permanentFailure(session.endpoint.url, error.cause)
      if (why) throw new UsageError(`the endpoint "${session.endpointName}" (${session.endpoint.url}) ${why}.`)
      last = error.message
    }
    waiting.notify()
    return undefined
  }
  const response = await poll(patient, probe, { longestMs: session.budgets.readyMs }).finally(waiting.end)
  if (response) return
  throw new UsageError(
    `expected the endpoint "${session.endpointName}" (${session.endpoint.url}) to be ready within ${session.budgets.readyMs} ms, received ${last}. Start the server, or use another URL.`,
  )
}

/** Time without a response after which the listener is called, in milliseconds. */
const noticeAfterMs = 1000

/** Calls the listener once: when `notify` is called, or after `noticeAfterMs`. */
function noticeOnce(notice: () => void): { notify(): void; end(): void } {
  let isNotified = false
  const notify = () => {
    if (!isNotified) notice()
    isNotified = true
  }
  const timer = setTimeout(notify, noticeAfterMs)
  return { notify, end: () => clearTimeout(timer) }
}
