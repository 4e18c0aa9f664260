import { jsonEndpoints } from '../catalog/deployment/run.ts'
import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import type { ApiRequest } from '../harness/http.ts'
import { plainAssistant } from '../harness/run-sample.ts'

type EndpointName = (typeof jsonEndpoints)[number]['name']

const json = /^application\/json\s*(;|$)/i

export const contentTypeChecks: readonly Check[] = [
  check(
    jsonEndpoints.map(({ name }) => `content-type.${name}` as const),
    'returns JSON content types',
    async (context) => {
      const { deployment, session } = context
      const { threadId, runId } = await deployment.ended({ graph: 'any' })
      const graphId = session.graph('any')
      const requests: Readonly<Record<EndpointName, ApiRequest>> = {
        'thread-create': { method: 'POST', path: '/threads', body: {} },
        'run-create': { method: 'POST', path: `/threads/${threadId}/runs`, body: { assistant_id: graphId, input: {} } },
        'run-get': { method: 'GET', path: `/threads/${threadId}/runs/${runId}` },
        'run-list': { method: 'GET', path: `/threads/${threadId}/runs` },
        'state-get': { method: 'GET', path: `/threads/${threadId}/state` },
        'assistant-create': { method: 'POST', path: '/assistants', body: { graph_id: graphId } },
        'assistant-search': { method: 'POST', path: '/assistants/search', body: { limit: 1, offset: 0 } },
        'assistant-get': { method: 'GET', path: `/assistants/${await plainAssistant(context)}` },
      }
      for (const { name, endpoint, responds } of jsonEndpoints) {
        const answer = await deployment.http.send(requests[name])
        const type = answer.headers['content-type'] ?? 'none'
        const expected = 'application/json, with any parameters'
        const needs = [{ row: responds, holds: answer.ok }]
        const what = `the Content-Type of ${endpoint}`
        await decideAll(context, [
          { row: `content-type.${name}`, holds: json.test(type), what, expected, received: type, needs },
        ])
      }
    },
  ),
]
