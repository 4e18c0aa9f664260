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

test('runs scenarios one after another on a server that executes one run at a time, unless concurrency is set', async () => {
  const endpoints = { open: { url: await startMockServer({}, oneRunAtATime) } }
  const notices: string[] = []
  const onSerial = () => void notices.push('serial')

  expect(await preflight({ endpoints }, 'seed', { onSerial })).toMatchObject({ concurrency: 1 })
  expect(await preflight({ endpoints, concurrency: 4 }, 'seed', { onSerial })).toMatchObject({ concurrency: 4 })
  expect(notices).toEqual(['serial'])
})

test('does not limit concurrency on a server that starts runs late, but concurrently', async () => {
  const endpoints = { open: { url: await startMockServer({ startDelayMs: 1200 }) } }

  expect(await preflight({ endpoints }, 'seed')).not.toHaveProperty('concurrency')
})

/** Creates a run only once the run before it has ended. */
function oneRunAtATime(fetch: Fetch): Fetch {
  let earlier: Promise<unknown> = Promise.resolve()
  return (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/runs')) return fetch(request)
    const created = earlier.then(() => fetch(request))
    earlier = created.then(async (response) => {
      const runId = textAt(await response.clone().json(), 'run_id')
      await fetch(new Request(`${request.url}/${runId}/join`))
    })
    return created
  }
}

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
