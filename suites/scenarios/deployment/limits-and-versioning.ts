import type { ApiRequest } from '../../harness/http.ts'
import { headersLike } from '../../harness/response-shape.ts'
import { probe, type Scenario } from '../scenario.ts'

const megabyte = 1_000_000

export const limitsAndVersioningScenarios: readonly Scenario[] = [
  probe(
    ['limits.rate', 'limits.request-size', 'limits.page-size.assistants', 'limits.page-size.runs'],
    'observes rate, size and page limits',
    async ({ deployment, observe }) => {
      const body = { metadata: { filler: 'x'.repeat(megabyte) } }
      const large = await deployment.http.send({ method: 'POST', path: '/threads', body })
      observe('limits.request-size', `POST /threads with a megabyte of metadata: ${large.status}`)
      const threadId = await deployment.thread()
      const pages = async (requestFor: (limit: number) => ApiRequest) => {
        const responses = []
        for (const limit of [1000, 1001])
          responses.push(`limit ${limit}: ${(await deployment.http.send(requestFor(limit))).status}`)
        return responses.join(', ')
      }
      const search = { method: 'POST', path: '/assistants/search' } as const
      observe('limits.page-size.assistants', await pages((limit) => ({ ...search, body: { limit } })))
      const runs = await pages((limit) => ({ method: 'GET', path: `/threads/${threadId}/runs?limit=${limit}` }))
      observe('limits.page-size.runs', runs)
      observe('limits.rate', headersLike(large, /rate-?limit|retry-after/i))
    },
  ),

  probe(
    ['versioning.scheme', 'versioning.deprecation'],
    'observes versions and deprecations in headers',
    async ({ deployment, observe }) => {
      const response = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
      observe('versioning.scheme', headersLike(response, /version/i))
      observe('versioning.deprecation', headersLike(response, /deprecat|sunset/i))
    },
  ),
]
