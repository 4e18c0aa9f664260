import type { DeploymentContext } from '../../harness/context.ts'
import { createDeployment, type Deployment } from '../../harness/deployment.ts'
import { show } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { createResources, creation, readAll, readOwn, streamOnThreads } from './auth-resources.ts'

/**
 * Returns a function that returns the headers of an end user by name. A target without an authentication handler may refuse a
 * bearer token, so only targets that accept one get it.
 */
async function endUserHeaders({ deployment, session }: DeploymentContext) {
  const withName = (name: string) => ({ 'x-end-user': `touchstone-${name}` })
  const withToken = (name: string) => ({ ...withName(name), authorization: `Bearer touchstone-end-user-${name}` })
  const hasAuthorization = Object.keys(session.endpoint.headers ?? {}).some(
    (name) => name.toLowerCase() === 'authorization',
  )
  const request = { method: 'POST', path: '/threads', body: {}, headers: withToken('probe'), intent: 'probe' } as const
  const acceptsToken = !hasAuthorization && (await deployment.http.send(request)).ok
  return acceptsToken ? withToken : withName
}

/** Returns a client of the deployment API that adds the headers of an end user to every request. */
function asEndUser({ deployment, session }: DeploymentContext, headers: Readonly<Record<string, string>>): Deployment {
  const { http } = deployment
  return createDeployment(
    {
      ...http,
      send: (request) => http.send({ ...request, headers: { ...headers, ...request.headers } }),
      stream: (request) => http.stream({ ...request, headers: { ...headers, ...request.headers } }),
      abandon: (request, waitMs) => http.abandon({ ...request, headers: { ...headers, ...request.headers } }, waitMs),
    },
    session,
  )
}

export const authNoneScenarios: readonly Scenario[] = [
  scenario(
    [
      'auth.none.threads',
      'auth.none.runs',
      'auth.none.run-get',
      'auth.none.run-join',
      'auth.none.run-create',
      'auth.none.run-stream',
      'auth.none.assistants',
      'auth.none.assistant-search',
    ],
    'shares resources between end users without a handler',
    async (context) => {
      const headers = await endUserHeaders(context)
      const [first, second] = [asEndUser(context, headers('one')), asEndUser(context, headers('other'))]
      const resources = await createResources(first)
      await readOwn(context.session, first, resources)
      await readAll(second, resources)
      await second.http.send(creation(context, resources.threadId, 'by another end user'))
      await streamOnThreads(context, second, [await second.thread(), await first.thread()])
    },
  ),

  probe(
    'auth.default-credential-header',
    'observes the default credential header',
    async ({ deployment, session, observe }) => {
      const names = Object.keys(session.endpoint.headers ?? {})
      const headers = Object.fromEntries(names.map((name) => [name, null]))
      const { status } = await deployment.http.send({ method: 'POST', path: '/threads', body: {}, headers })
      const sent = names.length > 0 ? `the configuration sends ${show(names)}` : 'the configuration sends none'
      observe('auth.default-credential-header', `${sent}; without it, POST /threads returns ${status}`)
    },
  ),
]
