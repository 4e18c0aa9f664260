import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import type { Report } from '../../reporters/model/report.ts'
import type { RunLimits } from '../../suites/harness/manifest.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { exportTarget } from '../fixtures/export-target.ts'

async function resultsOf(
  url: Parameters<typeof testTarget>[0],
  ids: readonly string[],
): Promise<Report['requirements']> {
  const { requirements } = await testTarget(url, { seed: 'seed', bucket: await embeddedStore(), selection: { ids } })
  return requirements
}

const broken = (rows: Report['requirements']) =>
  rows.filter(({ verdict }) => ['fail', 'warning', 'flaky', 'error'].includes(verdict)).map(({ id }) => id)

/** Inconclusive requirements with the settings that they need. */
function locked(rows: Report['requirements']) {
  const outcomes = rows
    .filter(({ verdict }) => verdict === 'inconclusive')
    .flatMap((requirement) => requirement.outcomes)
  return { rows: outcomes.length, unlock: [...new Set(outcomes.map(({ unlock }) => unlock))] }
}

test.each<[keyof RunLimits, number]>([
  ['exports', 5],
  ['schedules', 2],
])('no more %s are created than the manifest allows (%i); what would need more could not run', async (what, most) => {
  const target = await exportTarget()
  const { endpoint } = target

  const rows = await resultsOf({ endpoints: { export: endpoint }, limits: { [what]: most } }, [
    'export.create.*',
    'export.cancel.*',
    'export.schedule.*',
  ])

  const made = (await target.exports()).filter(
    (one) => one.source_bulk_export_id === null && (what === 'exports' || one.interval_hours !== null),
  )
  expect(made.length).toBeLessThanOrEqual(most)
  // A creation that is refused counts until it is.
  expect(made.length).toBeGreaterThanOrEqual(most - 1)
  expect(broken(rows)).toEqual([])
  expect(locked(rows)).toEqual({ rows: expect.toSatisfy((n) => n > 5), unlock: [`increase limits.${what}`] })
})

test('refused exports do not count towards limits', async () => {
  const { endpoint } = await exportTarget()

  const rows = await resultsOf({ endpoints: { export: endpoint }, limits: { exports: 8 } }, ['export.limits.hours.*'])

  expect(rows.map(({ verdict }) => verdict)).toEqual(rows.map(() => 'pass'))
})

test('waits for a service with a rate limit, which changes no verdict', async () => {
  let count = 0
  const { endpoint } = await exportTarget({
    wrap: (fetch) => async (request) =>
      request.url.includes('/api/') && ++count % 7 === 0
        ? new Response('slow down', { status: 429, headers: { 'retry-after': '0' } })
        : fetch(request),
  })

  const rows = await resultsOf({ endpoints: { export: endpoint } }, ['export.*'])

  expect(count).toBeGreaterThan(500)
  expect(broken(rows)).toEqual([])
  expect(locked(rows).rows).toBe(0)
})

test('waits for an export of which runs end, also for longer than its budget', async () => {
  const slow = {
    ...defaultExportPolicies,
    async *recordsOf(...partition: Parameters<typeof defaultExportPolicies.recordsOf>) {
      await setTimeout(400)
      yield* defaultExportPolicies.recordsOf(...partition)
    },
  }
  const { endpoint } = await exportTarget({ policies: { export: slow } })

  const rows = await resultsOf({ endpoints: { export: endpoint }, budgets: { exportMs: 1000 } }, ['export.runs.*'])

  expect(rows.map(({ verdict }) => verdict)).not.toContain('inconclusive')
  expect(broken(rows)).toEqual([])
})
