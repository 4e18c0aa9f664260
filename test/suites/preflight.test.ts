import { expect, test } from 'vitest'
import { textAt } from '../../suites/harness/json.ts'
import { preflight } from '../../suites/runner/preflight.ts'
import type { Fetch } from '../../targets/mutants/mutant.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

test('the revision of the test graphs is read on every endpoint', async () => {
  const endpoints = { open: { url: await startMockServer() } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

test('the revision is found also where a run ends between two requests of the preflight', async () => {
  const endpoints = { open: { url: await startMockServer({ startDelayMs: 50 }, stateArrivesLate) } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

/** A state as it was when it was asked for; it is sent once the run of its thread has ended. */
function stateArrivesLate(fetch: Fetch): Fetch {
  const runs = new Map<string, string>()
  return async (request) => {
    const [, , thread = '', part] = new URL(request.url).pathname.split('/')
    const answer = await fetch(request)
    if (request.method === 'POST' && part === 'runs')
      runs.set(thread, textAt(await answer.clone().json(), 'run_id') ?? '')
    if (part === 'state')
      await fetch(new Request(new URL(`/threads/${thread}/runs/${runs.get(thread)}/join`, request.url)))
    return answer
  }
}
