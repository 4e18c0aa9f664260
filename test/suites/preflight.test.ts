import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { preflight } from '../../suites/runner/preflight.ts'
import { at, listAt, textAt } from '../../suites/values/json.ts'
import { startDeploymentServer } from '../../targets/reference-server.ts'
import type { Fetch, Wrap } from '../../targets/wrappers/fetch.ts'
import { changeRequest, createRun, rejectRequest } from '../../targets/wrappers/requests.ts'
import { combine, replace, responses } from '../../targets/wrappers/responses.ts'
import { changeResponse } from '../../targets/wrappers/routes.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

test('reads the revision of the test graphs on every endpoint', async () => {
  const endpoints = { open: { url: await startMockServer() } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

test('reads the revision even if a run ends between two requests of the preflight', async () => {
  const endpoints = { open: { url: await startMockServer({ startDelayMs: 50 }, stateArrivesLate) } }

  expect(await preflight({ endpoints }, 'seed')).toMatchObject({ revisions: { open: '1' } })
})

test('a graph of another name counts as not deployed, also on an endpoint with custom authentication', async () => {
  const { endpoint, close } = await startDeploymentServer({ customAuth: true })
  onTestFinished(close)
  const endpoints = { 'custom-auth': endpoint }

  expect(await preflight({ endpoints, graphs: { echo: 'eco' } }, 'seed')).toMatchObject({ refused: ['echo'] })
})

test('leaves a server that answers every creation with a redirect to the scenarios', async () => {
  const wrap = responses((response, request) =>
    new URL(request.url).pathname.startsWith('/threads') ? replace(response, { status: 302 }) : response,
  )
  const { endpoint, close } = await startDeploymentServer({ customAuth: true, wrap })
  onTestFinished(close)

  expect(await preflight({ endpoints: { 'custom-auth': endpoint } }, 'seed')).toMatchObject({ refused: [] })
})

test('limits concurrency if the server executes few runs at a time, unless it is set', async () => {
  const endpoints = { open: { url: await startMockServer({}, runsAtATime(1)) } }
  const capacities: number[] = []
  const onCapacity = (runs: number) => void capacities.push(runs)

  expect(await preflight({ endpoints }, 'seed', { onCapacity })).toMatchObject({ concurrency: 1 })
  expect(await preflight({ endpoints, concurrency: 12 }, 'seed', { onCapacity })).toMatchObject({ concurrency: 12 })
  expect(capacities).toEqual([1])
})

test('does not limit concurrency if all requests are delayed', async () => {
  const slowly: Wrap = (fetch) => async (request) => {
    await setTimeout(200)
    return fetch(request)
  }
  const endpoints = { open: { url: await startMockServer({}, slowly) } }

  expect(await preflight({ endpoints }, 'seed')).not.toHaveProperty('concurrency')
})

test('a graph without a default assistant counts as deployed if assistants of it can be created', async () => {
  const withoutDefault = combine(
    rejectRequest(createRun, ({ assistant_id }) => assistant_id === 'chat'),
    changeResponse({ method: 'POST', path: '/assistants/search' }, (found) =>
      listAt(found).filter((assistant) => at(assistant, 'graph_id') !== 'chat'),
    ),
  )
  const withoutGraph = combine(
    withoutDefault,
    rejectRequest({ method: 'POST', path: '/assistants' }, ({ graph_id }) => graph_id === 'chat'),
  )
  const refusedBy = async (wrap: Wrap) => {
    const endpoints = { open: { url: await startMockServer({}, wrap) } }
    return (await preflight({ endpoints }, 'seed')).refused
  }

  expect([await refusedBy(withoutDefault), await refusedBy(withoutGraph)]).toEqual([[], ['chat']])
})

/** Starts each run once one of so many workers is free. */
function runsAtATime(workers: number): Wrap {
  return (fetch) => {
    const freeAt = Array.from({ length: workers }, () => 0)
    return changeRequest(createRun, (body) => {
      const now = performance.now()
      const startsAt = Math.max(now, Math.min(...freeAt))
      freeAt[freeAt.indexOf(Math.min(...freeAt))] = startsAt + (body['assistant_id'] === 'slow' ? 1000 : 0)
      return { ...body, after_seconds: (startsAt - now) / 1000 }
    })(fetch)
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
