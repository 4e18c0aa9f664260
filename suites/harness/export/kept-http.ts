import type { Answer, ApiRequest, Http } from '../http.ts'
import { at, parsed } from '../json.ts'
import type { Session } from '../session.ts'
import { pauseBefore } from '../waiting.ts'
import { base } from './base.ts'
import type { CallerName } from './lasting.ts'

/** A client whose creations of exports are counted, and whose schedules are cancelled when the session ends. */
export function keptHttp(http: Http, session: Session, caller: CallerName): Http {
  const { keeper, endpointName: endpoint } = session
  const by = { endpoint, caller }
  /** Sends a creation again while the service refuses it, because others are in progress. */
  const whenAccepted = async (request: ApiRequest): Promise<Answer> => {
    const started = performance.now()
    for (let tries = 1; ; tries++) {
      const answer = await http.send(request)
      const isBusy = request.intent !== 'fault' && (answer.status === 409 || answer.status === 503)
      if (!isBusy || performance.now() - started > session.budgets.exportMs) return answer
      await pauseBefore(tries)
    }
  }
  const send = async (request: ApiRequest): Promise<Answer> => {
    const { method, path } = request
    const body = typeof request.body === 'string' ? parsed(request.body) : request.body
    if (method === 'POST' && path === base) {
      const answer = await keeper.creation(by, body, () => whenAccepted(request))
      const id = at(answer.json, 'id')
      if (typeof id === 'string') session.onClose(() => cancelLiving(id))
      return answer
    }
    const answer = await http.send(request)
    const [, id] = /^\/([^/?]+)$/.exec(path.slice(base.length)) ?? []
    if (method === 'PATCH' && answer.ok && id !== undefined) keeper.changed(by, id, at(body, 'status'))
    return answer
  }
  const cancelLiving = async (id: string): Promise<void> => {
    if (keeper.lives(by, id)) await send({ method: 'PATCH', path: `${base}/${id}`, body: { status: 'Cancelled' } })
  }
  return { ...http, send }
}
