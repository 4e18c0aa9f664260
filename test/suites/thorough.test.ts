import { expect, test } from 'vitest'
import { testTarget } from '../../suites/runner/test-target.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

test('a report says what was not run without --thorough, if it concerns a selected requirement', async () => {
  const endpoints = { open: { url: await startMockServer({}) } }
  const run = (ids: readonly string[]) => testTarget({ endpoints }, { seed: 'seed', selection: { ids } })

  const streams = await run(['stream.end.clean'])
  expect(streams.notRun).toBe('Not run without --thorough: a join and a stream of more than 5 s')
  expect(streams.verdict.exitCode).toBe(0)
  expect(await run(['thread.create.fresh-id'])).not.toHaveProperty('notRun')
})
