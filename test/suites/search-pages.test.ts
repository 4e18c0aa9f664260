import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../suites/harness/session.ts'
import { runScenarios } from '../../suites/runner/run-scenarios.ts'
import { probe } from '../../suites/scenarios/scenario.ts'
import { httpServer } from '../fixtures/http-server.ts'

test('remembers the size of pages that a search accepts', async () => {
  expect(await limitsSent((limit) => limit > 10, [100, 100, 2])).toEqual([100, 50, 25, 12, 6, 6, 2])
})

test('keeps large pages after the refusal of a small one', async () => {
  const refusals = [2]
  expect(await limitsSent((limit) => refusals[0] === limit && refusals.pop() === limit, [2, 100])).toEqual([2, 1, 100])
})

/** Returns the limits of all requests that searches with some limits send to a server that refuses some. */
async function limitsSent(isRefused: (limit: number) => boolean, searches: readonly number[]): Promise<number[]> {
  const sent: number[] = []
  const url = await httpServer(async (request, response) => {
    const { limit } = JSON.parse(await text(request))
    sent.push(limit)
    response.writeHead(isRefused(limit) ? 400 : 200).end('[]')
  })
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed')
  onTestFinished(() => session.close())
  const searching = probe('assistant.search.order', 'searches', async ({ deployment }) => {
    for (const limit of searches) await deployment.searchAssistants({ limit, offset: 0 })
  })
  await runScenarios([searching], [session], 1)
  return sent
}
