import { NoAnswer } from '../harness/errors.ts'
import type { ApiRequest, Http } from '../harness/http.ts'
import type { Session } from '../harness/session.ts'
import { poll } from '../harness/waiting.ts'
import { hopeless } from './hopeless.ts'
import { UsageError } from './usage-error.ts'

/** Told the URL of an endpoint that does not answer at once, and how long it is waited for. */
export type WaitingListener = (url: string, longestMs: number) => void

/** Waits until the endpoint answers anything at all but a gateway's refusal. */
export async function untilReady(
  session: Session,
  http: Http,
  request: ApiRequest,
  onWaiting: WaitingListener,
): Promise<void> {
  const waiting = noticeOnce(() => onWaiting(session.endpoint.url, session.budgets.readyMs))
  const patient = { ...session, budgets: { ...session.budgets, waitMs: session.budgets.readyMs } }
  let last = ''
  const ask = async () => {
    try {
      const seen = await http.send({ ...request, judged: true })
      last = `HTTP ${seen.status}`
      if (![502, 503, 504].includes(seen.status)) return seen
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      const why = await hopeless(session.endpoint.url, error.cause)
      if (why) throw new UsageError(`the endpoint "${session.endpointName}" (${session.endpoint.url}) ${why}.`)
      last = error.message
    }
    waiting.tell()
    return undefined
  }
  const answer = await poll(patient, ask, session.budgets.readyMs).finally(waiting.end)
  if (answer) return
  throw new UsageError(
    `the endpoint "${session.endpointName}" (${session.endpoint.url}) was not ready within ${session.budgets.readyMs} ms: ${last}. Start the target, or give another URL.`,
  )
}

/** A target that keeps silent for so long is worth a word, in milliseconds. */
const noticeAfterMs = 1000

/** Tells once that something is waited for: when asked to, or by itself after a while. */
function noticeOnce(notice: () => void): { tell(): void; end(): void } {
  let told = false
  const tell = () => {
    if (!told) notice()
    told = true
  }
  const timer = setTimeout(tell, noticeAfterMs)
  return { tell, end: () => clearTimeout(timer) }
}
