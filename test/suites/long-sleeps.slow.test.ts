import { expect, test } from 'vitest'
import { testTarget } from '../../suites/runner/test-target.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

test('waits for the end of a graph that sleeps longer than budgets.waitMs', async () => {
  const endpoints = { open: { url: await startMockServer({}) } }
  const target = { endpoints, budgets: { waitMs: 200, slowMs: 1500 } }
  const selection = { ids: ['run.join.waits', 'stream.join.running'] }
  const { requirements } = await testTarget(target, { seed: 'seed', selection })

  const outcomes = requirements.flatMap((requirement) => requirement.outcomes)
  expect(outcomes).toMatchObject([
    { verdict: 'pass' },
    { observation: '200, metadata (0), values (1), values (2), values (3); two readers at once get the same' },
  ])
})
