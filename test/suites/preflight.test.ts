import { expect, test } from 'vitest'
import { preflight } from '../../suites/runner/preflight.ts'
import { textAt } from '../../suites/values/json.ts'
import type { Fetch } from '../../targets/wrappers/fetch.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

test('reads the revision of the test graphs on every endpoint', async () => {
  const endpoints = { open: { url: await startMockServer() } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

test('reads the revision even if a run ends between two requests of the preflight', async () => {
  const endpoints = { open: { url: await startMockServer({ startDelayMs: 50 }, stateArrivesLate) } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

/** Delays a state until the run of its thread has ended, and then returns the earlier state. */
function stateArrivesLate(fetch: Fetch): Fetch {
  const runs = new Map<string, string>()
  return async (request) => {
    const [, , thread = '', part] = new URL(request.url).pathname.split('/')
    const response = await fetch(request)
    if (request.method === 'POST' && part === 'runs')
      runs.set(thread, textAt(await response.clone().json(), 'run_id') ?? '')
    if (part === 'state')
      await fetch(new Request(new URL(`/threads/${thread}/runs/${runs.get(thread)}/join`, request.url)))
    return response
  }
}
