import { isScheduleRequest } from '../../values/export/windows.ts'
import { at, parseJson } from '../../values/json.ts'
import type { ApiRequest, ApiResponse, Http } from '../http.ts'
import type { Session } from '../session.ts'
import type { CallerName } from './leftovers.ts'
import { cancellation, exportsPath } from './paths.ts'

/** Longest time until other scenarios have cancelled their schedules. */
const SCHEDULE_MS = 30_000

/** Wraps an HTTP client: counts the exports that it creates, and cancels scheduled exports at the end of the session. */
export function trackedHttp(http: Http, session: Session, caller: CallerName): Http {
  const { tracker, creations, endpointName: endpoint, budgets } = session
  const sender = { endpoint, caller }
  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    const { method, path } = request
    const body = typeof request.body === 'string' ? parseJson(request.body) : request.body
    if (method === 'POST' && path === exportsPath) {
      const isScheduled = isScheduleRequest(body)
      const options = {
        intent: request.intent ?? http.intent,
        longestMs: isScheduled ? SCHEDULE_MS : budgets.exportMs,
      }
      const queue = isScheduled ? creations.scheduled : creations.oneOff
      const create = () => http.send(request)
      const response = await tracker.creation(sender, body, () =>
        request.sendOnce ? create() : queue.send(create, options),
      )
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
    if (tracker.isActive(sender, id)) await send(cancellation(id))
  }
  return { ...http, send }
}
