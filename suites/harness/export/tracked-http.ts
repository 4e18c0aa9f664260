import type { ApiRequest, ApiResponse, Http } from '../http.ts'
import { at, parseJson } from '../json.ts'
import type { Session } from '../session.ts'
import { backOff } from '../waiting.ts'
import type { CallerName } from './leftovers.ts'
import { exportsPath } from './paths.ts'

/** Maximum number of repetitions of a creation with a fault: a server may respond to all of them with 503. */
const maxFaultRetries = 5

/** Wraps an HTTP client: counts the exports that it creates, and cancels scheduled exports at the end of the session. */
export function trackedHttp(http: Http, session: Session, caller: CallerName): Http {
  const { tracker, endpointName: endpoint } = session
  const sender = { endpoint, caller }
  /** Repeats the creation of an export while the service refuses it because of other exports in progress. */
  const sendWhenFree = async (request: ApiRequest): Promise<ApiResponse> => {
    const startedAt = performance.now()
    for (let attempt = 1; ; attempt++) {
      const response = await http.send(request)
      // 409 may be the refusal of the fault, 503 is not.
      const isFault = request.intent === 'fault'
      const isBusy = response.status === 503 || (response.status === 409 && !isFault)
      const isSpent = isFault ? attempt > maxFaultRetries : performance.now() - startedAt > session.budgets.exportMs
      if (!isBusy || isSpent) return response
      await backOff(attempt)
    }
  }
  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    const { method, path } = request
    const body = typeof request.body === 'string' ? parseJson(request.body) : request.body
    if (method === 'POST' && path === exportsPath) {
      const response = await tracker.creation(sender, body, () => sendWhenFree(request))
      const id = at(response.json, 'id')
      if (typeof id === 'string') session.onClose(() => cancelIfActive(id))
      return response
    }
    const response = await http.send(request)
    const [, id] = /^\/([^/?]+)$/.exec(path.slice(exportsPath.length)) ?? []
    if (method === 'PATCH' && response.ok && id !== undefined) tracker.changed(sender, id, at(body, 'status'))
    return response
  }
  const cancelIfActive = async (id: string): Promise<void> => {
    if (tracker.isActive(sender, id))
      await send({ method: 'PATCH', path: `${exportsPath}/${id}`, body: { status: 'Cancelled' } })
  }
  return { ...http, send }
}
