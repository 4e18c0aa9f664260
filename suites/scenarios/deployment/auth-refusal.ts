import { type GuardedEndpoint, guardedEndpoints } from '../../catalog/deployment/auth-refusal.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { uniqueConfig } from '../../harness/deployment.ts'
import { Inconclusive, ignoreLoss } from '../../harness/errors.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { runBody } from '../../harness/run-request.ts'
import { textAt } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { createResources, creation, streamCreation, type UserResources } from './auth-resources.ts'

/** Returns a valid request to an endpoint, about resources of the user. */
function validRequest(
  { session }: DeploymentContext,
  { key, method, path }: GuardedEndpoint,
  own: UserResources,
): ApiRequest {
  const text = `valid ${key}`
  const bodies: Readonly<Record<string, unknown>> = {
    'thread-create': {},
    'run-create': runBody(session, { text, strategy: 'enqueue' }),
    'run-stream': runBody(session, { text, streamMode: ['updates'] }),
    'assistant-create': { graph_id: session.graph('echo'), config: uniqueConfig() },
    'assistant-search': { limit: 1, offset: 0 },
  }
  const filled = path
    .replace('{thread_id}', own.threadId)
    .replace('{run_id}', own.runId)
    .replace('{assistant_id}', own.assistantId)
  return { method, path: filled, ...(key in bodies ? { body: bodies[key] } : {}) }
}

/** Sends a request with valid credentials, without credentials and with invalid ones. */
async function sendAsEach({ deployment, as }: DeploymentContext, request: ApiRequest): Promise<void> {
  await deployment.http.send(request)
  for (const user of ['nobody', 'invalid'] as const) await as(user).http.send(request)
}

function refusals(endpoint: GuardedEndpoint): Scenario {
  const ids = ['missing', 'wrong'].map((fault) => `auth.refused.${endpoint.key}.${fault}-credentials` as RequirementId)
  const title = `rejects ${endpoint.method} ${endpoint.path} without valid credentials`
  return scenario(ids, title, async (context) => {
    const { session, deployment } = context
    const own = await session.memoize('resources of the usual user', () => createResources(deployment))
    // A streamed run needs an idle thread.
    const threadId = endpoint.key === 'run-stream' ? await deployment.thread() : own.threadId
    await sendAsEach(context, validRequest(context, endpoint, { ...own, threadId }))
  })
}

export const authRefusalScenarios: readonly Scenario[] = [
  ...guardedEndpoints.map(refusals),

  scenario(
    ['auth.refused.creates-no-run', 'auth.refused.streams-no-run', 'multitask.enqueue.executes'],
    'creates no run after a 401 response, and a run after that',
    async (context) => {
      const { deployment, as } = context
      for (const create of [creation, streamCreation]) {
        const threadId = await deployment.thread()
        const request = create(context, threadId, 'intruder')
        const first = await deployment.http.send(request).catch(ignoreLoss)
        for (const caller of ['nobody', 'invalid'] as const) {
          await as(caller).http.send(request)
          await deployment.listRuns(threadId)
        }
        const firstId = textAt(first?.json, 'run_id')
        // The later runs must execute only if a response has shown the end of this one.
        if (firstId !== undefined) await deployment.waitForEnd(threadId, firstId)
        const start = (text: string) => deployment.startRun(threadId, { text, strategy: 'enqueue' })
        const later = [await start('after a 401 response'), await start('queued after a 401 response')]
        for (const id of later) await deployment.waitForEnd(threadId, id)
      }
    },
  ),

  scenario(
    ['errors.unauthenticated.detail-missing', 'errors.unauthenticated.detail-wrong'],
    "returns the handler's detail with 401",
    async (context) => {
      const { endpoint, endpointName } = context.session
      if (endpoint.refusalDetail === undefined) {
        const unlock = `set endpoints.${endpointName}.refusalDetail in the configuration`
        throw new Inconclusive('the configuration has no refusalDetail', unlock)
      }
      await sendAsEach(context, { method: 'POST', path: '/threads', body: {} })
    },
  ),

  probe('errors.unauthenticated.body-shape', 'observes the body of a 401 response', async (context) => {
    const { endpoint } = context.session
    const response = await context.as('nobody').http.send({ method: 'POST', path: '/threads', body: {} })
    const shown = response.text.includes(endpoint.refusalDetail ?? '') ? "with the handler's text" : ''
    context.observe('errors.unauthenticated.body-shape', `${responseShape(response)} ${shown}`.trim())
  }),
]
