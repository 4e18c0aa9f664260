import { type GuardedEndpoint, guardedEndpoints } from '../catalog/deployment/auth-refusal.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Inconclusive } from '../harness/errors.ts'
import type { ApiRequest } from '../harness/http.ts'
import { runBody } from '../harness/run-request.ts'
import { type Belongings, creation, runIds, sharedBelongings } from './auth-scene.ts'

/** A valid request to an endpoint, on resources of alice. */
function validRequest({ session }: CheckContext, { key, method, path }: GuardedEndpoint, own: Belongings): ApiRequest {
  const run = runBody(session, { text: `valid ${key}`, strategy: 'enqueue' })
  const bodies: Readonly<Record<string, unknown>> = {
    'thread-create': {},
    'run-create': run,
    'run-stream': { ...run, stream_mode: ['updates'] },
    'assistant-create': { graph_id: session.graph('echo') },
    'assistant-search': { limit: 1, offset: 0 },
  }
  const filled = path
    .replace('{thread_id}', own.threadId)
    .replace('{run_id}', own.runId)
    .replace('{assistant_id}', own.assistantId)
  return { method, path: filled, ...(key in bodies ? { body: bodies[key] } : {}) }
}

/** Both refusals of an endpoint; the valid request comes first. */
function refusalCheck(endpoint: GuardedEndpoint): Check {
  const rows = ['missing', 'wrong'].map((fault) => `auth.refused.${endpoint.key}.${fault}-credentials` as RequirementId)
  const [missing, wrong] = rows as [RequirementId, RequirementId]
  return check(rows, `rejects ${endpoint.method} ${endpoint.path} without valid credentials`, async (context) => {
    const request = validRequest(context, endpoint, await sharedBelongings(context, 'alice'))
    const control = await context.deployment.http.send(request)
    // What GET /threads answers is left open, so that only a refusal of the credentials counts.
    const valid = endpoint.key === 'thread-list' ? ![401, 403].includes(control.status) : control.ok
    if (!valid) {
      const unlock =
        'fix the response to the request with valid credentials, which the check needs before it sends invalid ones'
      throw new Inconclusive(
        `expected a 2xx response to the request with valid credentials, received ${control.status}`,
        unlock,
      )
    }
    for (const [row, user] of [[missing, 'nobody'] as const, [wrong, 'invalid'] as const]) {
      await context.decide(row, async () => {
        const { status, text } = await context.as(user).http.send(request)
        context.verify(status === 401, `${endpoint.method} ${endpoint.path} as ${user}`, '401', `${status} ${text}`)
      })
    }
  })
}

const withoutEffect = check(
  ['auth.refused.creates-no-run', 'auth.refused.streams-no-run'],
  'creates no run after a 401 response',
  async (context) => {
    const threadId = await context.deployment.thread()
    const create = creation(context, threadId, { text: 'intruder', strategy: 'enqueue' })
    const created = await context.as('nobody').http.send(create)
    const afterCreation = await runIds(context, 'alice', threadId)
    const streamed = await context.as('nobody').http.send({ ...create, path: `${create.path}/stream` })
    const afterStream = await runIds(context, 'alice', threadId)
    const list = { what: 'the runs of the thread', expected: 'no run of the rejected request' }
    await decideAll(context, [
      {
        row: 'auth.refused.creates-no-run',
        needs: [{ row: 'auth.refused.run-create.missing-credentials', holds: created.status === 401 }],
        holds: afterCreation.length === 0,
        received: afterCreation,
        ...list,
      },
      {
        row: 'auth.refused.streams-no-run',
        needs: [{ row: 'auth.refused.run-stream.missing-credentials', holds: streamed.status === 401 }],
        holds: afterStream.length === afterCreation.length,
        received: afterStream,
        ...list,
      },
    ])
  },
)

export const authRefusalChecks: readonly Check[] = [...guardedEndpoints.map(refusalCheck), withoutEffect]
