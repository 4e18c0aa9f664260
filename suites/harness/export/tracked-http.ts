import type { ApiRequest, ApiResponse, Http } from '../http.ts'
import { at, parseJson } from '../json.ts'
import type { Session } from '../session.ts'
import { backOff } from '../waiting.ts'
import type { CallerName } from './leftovers.ts'
import { exportsPath } from './paths.ts'

/** How often a creation with a fault is sent again: a server may respond to all of them with 503. */
const mostFaultTries = 5

/** A client whose creations of exports are counted, and whose schedules are cancelled when the session ends. */
export function trackedHttp(http: Http, session: Session, caller: CallerName): Http {
  const { tracker, endpointName: endpoint } = session
  const by = { endpoint, caller }
  /** Sends a creation again while the service refuses it, because others are in progress. */
  const whenAccepted = async (request: ApiRequest): Promise<ApiResponse> => {
    const started = performance.now()
    for (let tries = 1; ; tries++) {
      const response = await http.send(request)
      // A 409 may refuse the fault, a 503 does not.
      const isFault = request.intent === 'fault'
      const isBusy = response.status === 503 || (response.status === 409 && !isFault)
      const isSpent = isFault ? tries > mostFaultTries : performance.now() - started > session.budgets.exportMs
      if (!isBusy || isSpent) return response
      await backOff(tries)
    }
  }
  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    const { method, path } = request
    const body = typeof request.body === 'string' ? parseJson(request.body) : request.body
    if (method === 'POST' && path === exportsPath) {
      const response = await tracker.creation(by, body, () => whenAccepted(request))
      const id = at(response.json, 'id')
      if (typeof id === 'string') session.onClose(() => cancelLiving(id))
      return response
    }
    const response = await http.send(request)
    const [, id] = /^\/([^/?]+)$/.exec(path.slice(exportsPath.length)) ?? []
    if (method === 'PATCH' && response.ok && id !== undefined) tracker.changed(by, id, at(body, 'status'))
    return response
  }
  const cancelLiving = async (id: string): Promise<void> => {
    if (tracker.isActive(by, id))
      await send({ method: 'PATCH', path: `${exportsPath}/${id}`, body: { status: 'Cancelled' } })
  }
  return { ...http, send }
}
