import { expect, test } from 'vitest'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { deploymentScenarios } from '../../suites/scenarios/deployment/index.ts'
import type { Wrap } from '../../targets/wrappers/fetch.ts'
import { everyObject, json } from '../../targets/wrappers/responses.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'
import { exportTarget } from '../fixtures/export-target.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

/** Longer than a scenario takes after the status, and shorter than all scenarios take, in milliseconds. */
const lateMs = 1500

/** Shows one status of each object for a while, and then another one. */
function statusChanges(from: string, to: string): Wrap {
  const since = new Map<unknown, number>()
  return json((body) =>
    everyObject(body, (object) => {
      if (object['status'] !== from) return object
      const id = object['run_id'] ?? object['id']
      if (!since.has(id)) since.set(id, performance.now())
      return performance.now() - (since.get(id) ?? 0) < lateMs ? object : { ...object, status: to }
    }),
  )
}

const failed = (decisions: readonly Decision[]) =>
  new Set(decisions.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement))

test('an interrupted run that succeeds later fails', async () => {
  const url = await startMockServer({}, statusChanges('interrupted', 'success'))
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed')

  const decisions = await runAndDecide(deploymentScenarios, [session], 8)
  await session.close()

  expect(failed(decisions)).toContain('run.status.keeps-final')
})

test('a cancelled export that is executed later fails', async () => {
  const { endpoint } = await exportTarget({ wrap: statusChanges('Cancelled', 'Running') })

  const decisions = await exportDecisions(endpoint, await embeddedStore(), { exportMs: 3000 })

  expect(failed(decisions)).toContain('export.cancel.stays')
})
