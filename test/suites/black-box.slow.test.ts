import { expect, test } from 'vitest'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { deploymentScenarios } from '../../suites/scenarios/deployment/index.ts'
import type { Wrap } from '../../targets/wrappers/fetch.ts'
import { everyObject, json, objects } from '../../targets/wrappers/responses.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

/** Graphs that are not test graphs. */
const graphs: Readonly<Record<string, Wrap>> = {
  'keeps its state under other names': json((body, { url }) =>
    url.endsWith('/state')
      ? everyObject(body, ({ messages, ...others }) => (messages ? { ...others, reply: 'yes' } : others))
      : body,
  ),
  'always fails': objects((object) =>
    object['status'] === 'success' && 'run_id' in object ? { ...object, status: 'error' } : object,
  ),
}

test.each(Object.entries(graphs))(
  'with a graph that %s, no requirement fails, and inconclusive ones name their remedy',
  async (_, vary) => {
    const manifest = { endpoints: { open: { url: await startMockServer({}, vary) } }, graph: 'echo' }
    const session = openSession(manifest, 'open', 'seed')

    const decisions = await runAndDecide(deploymentScenarios, [session], 8)
    await session.close()

    const rows = (...verdicts: string[]) => decisions.filter(({ verdict }) => verdicts.includes(verdict))
    expect(rows('pass').length).toBeGreaterThan(100)
    expect(rows('fail', 'blocked', 'error')).toEqual([])
    expect(rows('inconclusive').length).toBeGreaterThan(0)
    expect(rows('inconclusive').filter(({ unlock }) => unlock === undefined)).toEqual([])
  },
)

test('waits for the runs of a slow graph', async () => {
  // Eleven runs of one second each are queued; the budget of one is three seconds.
  const endpoints = { open: { url: await startMockServer() } }
  const session = openSession({ endpoints, graph: 'slow', budgets: { waitMs: 3000 } }, 'open', 'seed')
  const listing = deploymentScenarios.filter(({ exercises }) => exercises.includes('run.list.default-page-size'))

  const decisions = await runAndDecide(listing, [session], 1)
  await session.close()

  expect(decisions.map(({ verdict }) => verdict)).toEqual(decisions.map(() => 'observed'))
  expect(decisions.length).toBeGreaterThan(0)
})
