import { expect, test } from 'vitest'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { deploymentScenarios } from '../../suites/scenarios/deployment/index.ts'
import { combine, everyObject, isStream, json, replace, responses } from '../../targets/wrappers/responses.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

/** A server on which runs show no end: not in their records, not in streams, and joins do not return. */
const runsNeverEnd = combine(
  json((body) => everyObject(body, (object) => ('run_id' in object ? { ...object, status: 'running' } : object))),
  responses((response, { url }) => (url.endsWith('/join') ? new Promise(() => {}) : response)),
  responses((response) => (isStream(response) && response.body ? openEnded(response, response.body) : response)),
)

test('a server on which no run ends fails one requirement, which blocks the others', async () => {
  const endpoints = { open: { url: await startMockServer({}, runsNeverEnd) } }
  const budgets = { waitMs: 2000, slowMs: 200, pollMs: 25 }
  const session = openSession({ endpoints, budgets }, 'open', 'seed')

  const decisions = await runAndDecide(deploymentScenarios, [session], 8)
  await session.close()

  const failed = decisions.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)
  // No new run was seen to be pending either.
  expect([...new Set(failed)].sort()).toEqual(['run.create.status-pending', 'run.status.ends'])
  const blocked = decisions.filter(({ verdict }) => verdict === 'blocked')
  expect(blocked.length).toBeGreaterThan(100)
  expect(blocked.filter(({ blockedBy }) => !failed.some((requirement) => requirement === blockedBy))).toEqual([])
})

/** A response whose body has the same content, and no end. */
function openEnded(response: Response, body: ReadableStream<Uint8Array>): Response {
  const reader = body.getReader()
  return replace(response, {
    body: new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return new Promise(() => {})
        controller.enqueue(value)
      },
    }),
  })
}
