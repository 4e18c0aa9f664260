import { afterAll, expect, test } from 'vitest'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { runReadScenarios } from '../../suites/scenarios/deployment/run-read.ts'
import type { Choice } from '../../targets/variants/choice.ts'
import { testVariant } from '../../targets/variants/test-variant.ts'
import { listRuns } from '../../targets/wrappers/requests.ts'
import { matchesRoute } from '../../targets/wrappers/routes.ts'

const { store, close } = await openBucketStore('embedded')
afterAll(close)

/** Lists at most two runs, from the offset on. */
const capped: Choice = {
  id: 'run.list-cap',
  description: 'How many runs a page has.',
  legal: 'limits.page-size.runs: not shown',
  area: 'deployment',
  values: {
    two: {
      wrap: (fetch) => (request) => {
        if (!matchesRoute(request, listRuns)) return fetch(request)
        const url = new URL(request.url)
        url.searchParams.set('limit', '2')
        return fetch(new Request(url, request))
      },
    },
  },
}

test('reads later pages of runs if the server returns fewer than requested', async () => {
  const variant = {
    seed: 'x',
    profiles: { deployment: 'open' as const },
    settings: [{ choice: capped.id, value: 'two' }],
  }
  const result = await testVariant(variant, { choices: [capped], scenarios: runReadScenarios, bucket: store })
  expect(result.rejections).toEqual([])
  expect(result.inconclusive).not.toHaveProperty(['run.list.every-run'])
  expect(result.decidable).toContain('run.list.every-run')
})
