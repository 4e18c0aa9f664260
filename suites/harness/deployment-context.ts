import type { ScenarioTrace } from '../trace/trace.ts'
import type { CommonContext, DeploymentContext, UserName } from './context.ts'
import { faultOf, sendControl } from './control-request.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import { Inconclusive, isTimeout, NoResponse } from './errors.ts'
import { createHttp, type Http } from './http.ts'
import type { Session } from './session.ts'
import { recordWait, runsAreLost, timeForAllRuns, waitLimit } from './waiting.ts'

function isJoin(path: string): boolean {
  return path.endsWith('/join')
}

/** Wraps an HTTP client: records how long joins take, so that later waits are shorter on a server where joins hang. */
function watchJoins(http: Http, session: Session): Http {
  return {
    ...http,
    async send(api) {
      if (!isJoin(api.path)) return http.send(api)
      const startedAt = performance.now()
      try {
        // The wait for a join that does not return is not repeated.
        const response = await http.send({ ...api, sendOnce: true })
        recordWait(session, 'join', startedAt, true)
        return response
      } catch (error) {
        if (error instanceof NoResponse && isTimeout(error)) recordWait(session, 'join', startedAt, false)
        throw error
      }
    },
  }
}

/** Creates the context of a scenario of the deployment API. */
export function deploymentContext(common: CommonContext, trace: ScenarioTrace): DeploymentContext {
  const { session } = common
  const usual: UserName = session.endpoint.users ? 'alice' : 'nobody'
  const as = (user: UserName): Deployment => {
    const headers = { ...session.endpoint.headers, ...userHeaders(session, user) }
    const timeoutMs = (path: string) => {
      if (isJoin(path)) return waitLimit(session, 'join', performance.now())
      // The response to a stream may wait for its run.
      if (path.endsWith('/stream') && runsAreLost(session)) return waitLimit(session, 'stream', performance.now())
      return timeForAllRuns(session)
    }
    // Without valid credentials, every request has a fault.
    const isAnonymous = user === 'invalid' || (user === 'nobody' && usual !== 'nobody')
    const intent = isAnonymous ? ({ intent: 'fault' } as const) : {}
    const http = createHttp({ session, headers, trace, user, ...intent, timeoutMs })
    return createDeployment(watchJoins(http, session), session)
  }
  return {
    ...common,
    deployment: as(usual),
    as,
    async negative(control, fault, user = usual) {
      const { http } = as(user)
      return http.send({ ...control, ...fault, ...faultOf(await sendControl(http, control)) })
    },
  }
}

function userHeaders(session: Session, user: UserName): Readonly<Record<string, string>> {
  if (user === 'nobody') return {}
  const declared = user === 'invalid' ? session.endpoint.invalid : session.endpoint.users?.[user]
  if (declared) return declared.headers
  const key = user === 'invalid' ? 'invalid' : `users.${user}`
  throw new Inconclusive(
    `the endpoint "${session.endpointName}" has no ${key} in the configuration`,
    `set endpoints.${session.endpointName}.${key} in the configuration`,
  )
}
