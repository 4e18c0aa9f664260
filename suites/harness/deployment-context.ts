import { type AnsweredBy, blaming } from './answered-by.ts'
import type { CheckContext, CommonContext, UserName } from './context.ts'
import { controlled, faultIn } from './controlled.ts'
import type { Deployment } from './deployment.ts'
import { createDeployment } from './deployment-client.ts'
import { Inconclusive } from './errors.ts'
import { createHttp } from './http.ts'
import type { Recorder } from './recorder.ts'
import type { Session } from './session.ts'
import { waitBudget } from './waiting.ts'

const answeredBy: AnsweredBy = [
  [/^\/threads\/[^/?]+\/runs\/[^/?]+$/, 'run.get.answers-run'],
  [/^\/threads\/[^/?]+\/runs\/[^/?]+\/join$/, 'run.join.answers'],
  [/^\/threads\/[^/?]+\/runs(\?limit=\d+)?$/, 'run.list.answers-array'],
  [/^\/threads\/[^/?]+\/state$/, 'state.get.answers-state'],
  [/^\/assistants\/[^/?]+$/, 'assistant.get.answers-assistant'],
]

/** What a check of the deployment API is given. */
export function deploymentContext(common: CommonContext, recorder: Recorder): CheckContext {
  const { session } = common
  const clients = new Map<UserName, Deployment>()
  const usual: UserName = session.endpoint.users ? 'alice' : 'nobody'
  const as = (user: UserName): Deployment => {
    const known = clients.get(user)
    if (known) return known
    const headers = { ...session.endpoint.headers, ...userHeaders(session, user) }
    const timeoutMs = () => waitBudget(session)
    const { endpoint, dispatcher } = session
    // Without valid credentials, every request has a fault.
    const intent = user === usual || (user !== 'nobody' && user !== 'invalid') ? {} : ({ intent: 'fault' } as const)
    const http = createHttp({ url: endpoint.url, headers, dispatcher, recorder, user, ...intent, timeoutMs })
    // What another user is not shown is judged by who asks for it.
    const client = createDeployment(user === usual ? blaming(http, answeredBy) : http, session)
    clients.set(user, client)
    return client
  }
  return {
    ...common,
    deployment: as(usual),
    as,
    async negative(control, fault, users = {}) {
      const accepted = await controlled(as(users.control ?? usual).http, control)
      return as(users.fault ?? usual).http.send({ ...control, ...fault, ...faultIn(accepted) })
    },
  }
}

function userHeaders(session: Session, user: UserName): Readonly<Record<string, string>> {
  if (user === 'nobody') return {}
  const found = user === 'invalid' ? session.endpoint.invalid : session.endpoint.users?.[user]
  if (found) return found.headers
  const key = user === 'invalid' ? 'invalid' : `users.${user}`
  throw new Inconclusive(
    `the endpoint "${session.endpointName}" has no ${key} in the configuration`,
    `set endpoints.${session.endpointName}.${key} in the configuration`,
  )
}
