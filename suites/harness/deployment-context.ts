import type { CheckContext, CommonContext, UserName } from './context.ts'
import type { Deployment } from './deployment.ts'
import { createDeployment } from './deployment-client.ts'
import { CouldNotRun } from './errors.ts'
import { createHttp } from './http.ts'
import type { Recorder } from './recorder.ts'
import type { Session } from './session.ts'
import { waitBudget } from './waiting.ts'

/** What a check of the deployment API is given. */
export function deploymentContext(common: CommonContext, recorder: Recorder): CheckContext {
  const { session } = common
  const clients = new Map<UserName, Deployment>()
  const as = (user: UserName): Deployment => {
    const known = clients.get(user)
    if (known) return known
    const headers = { ...session.endpoint.headers, ...userHeaders(session, user) }
    const timeoutMs = () => waitBudget(session)
    const http = createHttp({ url: session.endpoint.url, headers, dispatcher: session.dispatcher, recorder, timeoutMs })
    const client = createDeployment(http, session)
    clients.set(user, client)
    return client
  }
  const usual: UserName = session.endpoint.users ? 'alice' : 'nobody'
  return {
    ...common,
    deployment: as(usual),
    as,
    async negative(control, fault, users = {}) {
      const valid = await as(users.control ?? usual).http.send(control)
      if (!valid.ok) {
        const unlock = 'a target that accepts the valid form of the request'
        throw new CouldNotRun(`the valid request of this check was answered ${valid.status}`, unlock)
      }
      return as(users.fault ?? usual).http.send({ ...control, ...fault })
    },
  }
}

function userHeaders(session: Session, user: UserName): Readonly<Record<string, string>> {
  if (user === 'nobody') return {}
  const found = user === 'invalid' ? session.endpoint.invalid : session.endpoint.users?.[user]
  if (found) return found.headers
  const key = user === 'invalid' ? 'invalid' : `users.${user}`
  throw new CouldNotRun(
    `the endpoint "${session.endpointName}" declares no ${key}`,
    `endpoints.${session.endpointName}.${key} in the manifest`,
  )
}
