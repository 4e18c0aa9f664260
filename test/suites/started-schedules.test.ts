import { expect, test } from 'vitest'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import type { Verdict } from '../../reporters/model/report.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { startSchedules } from '../../suites/runner/start-schedules.ts'
import { scheduleScenarios } from '../../suites/scenarios/export/schedule.ts'
import { changeObjects, getExport, listExports, listRuns } from '../../targets/mutants/export/routes.ts'
import type { ExportServerOptions } from '../../targets/reference-server.ts'
import type { Fetch } from '../../targets/wrappers/fetch.ts'
import { mutantWithId } from '../fixtures/mutants.ts'
import { phasedTarget } from '../fixtures/phased-target.ts'

const minute = 60_000
/** Requirements that need runs with known times in milliseconds. */
const bySeeding = 'export.file.border'

/** Starts schedules on a service, advances its clock by hours and tests them; returns the verdict of each requirement. */
async function verified(options: ExportServerOptions & { quiet?: boolean }, hours = 4) {
  const scene = await phasedTarget(options)
  const manifest = {
    endpoints: { export: scene.declared },
    bucket: scene.bucket,
    budgets: { waitMs: 2000, pollMs: 25, exportMs: 4000 },
  }
  const started = await startSchedules(
    manifest,
    () => undefined,
    () => undefined,
  )
  await scene.pass(hours)
  const session = openSession({ ...manifest, started }, 'export', 'seed')
  const decisions = await runAndDecide(scheduleScenarios, [session], 16)
  await session.close()
  const found = decisions.filter(({ requirement }) => !requirement.startsWith(bySeeding))
  return {
    rows: (...verdicts: Verdict[]) =>
      found.filter(({ verdict }) => verdicts.includes(verdict)).map(({ requirement }) => requirement),
    observed: (requirement: RequirementId) => found.find((one) => one.requirement === requirement)?.observation,
    why: (requirement: RequirementId) => found.find((one) => one.requirement === requirement)?.failure?.message,
  }
}

test.each<[mutant: string, requirement: RequirementId]>([
  ['export.schedule.never', 'export.schedule.spawns'],
  ['export.schedule.no-delay', 'export.schedule.delay'],
  ['export.schedule.starts-early', 'export.schedule.window.start'],
  ['export.schedule.starts-late', 'export.schedule.window.start'],
  ['export.schedule.ends-early', 'export.schedule.window.end'],
  ['export.schedule.ends-late', 'export.schedule.window.end'],
  ['export.schedule.window-lost', 'export.schedule.every-window'],
  ['export.schedule.no-source', 'export.schedule.source'],
  ['export.schedule.under-source', 'export.schedule.own-path'],
  ['export.schedule.fields-lost', 'export.schedule.fields'],
  ['export.cancel.spawns-on', 'export.cancel.stops-spawning'],
  ['export.cancel.spawned-too', 'export.cancel.spares-spawned'],
  ['export.cancel.schedule-too', 'export.cancel.spawned-alone'],
])('hours later the defect %s is found by %s alone', async (id, requirement) => {
  const { wrap, exportPolicies } = mutantWithId(id)
  const { rows } = await verified({
    wrap,
    policies: { export: exportPolicies?.(defaultExportPolicies) ?? {} },
  })

  expect(rows('fail', 'warning', 'error')).toEqual([requirement])
})

test('detects hours later that a schedule lost its filter', async () => {
  const { rows } = await verified({
    wrap: (fetch) => async (request) => {
      if (request.method !== 'POST' || !request.url.endsWith('/bulk-exports')) return fetch(request)
      const { filter: _, ...body } = (await request.json()) as Record<string, unknown>
      const { url, method, headers } = request
      return fetch(new Request(url, { method, headers, body: JSON.stringify(body) }))
    },
  })

  expect(rows('fail', 'warning', 'error')).toEqual(['export.schedule.filter'])
})

const changeAll = (change: (one: Record<string, unknown>) => Record<string, unknown>): ((fetch: Fetch) => Fetch) => {
  return (fetch) => changeObjects(listExports, change)(changeObjects(getExport, change)(fetch))
}

test.each<[what: string, options: ExportServerOptions]>([
  [
    'runs them three quarters of an hour late, since others came first',
    {
      policies: {
        export: {
          windowOf: (...of) => {
            const usual = defaultExportPolicies.windowOf(...of)
            return { ...usual, dueMs: usual.dueMs + 45 * minute }
          },
        },
      },
    },
  ],
  [
    'exports no windows that are past when a schedule is created',
    {
      policies: {
        export: {
          nextWindow: ({ spawned, start_time, created_at }) =>
            spawned === 0
              ? Math.max(1, Math.floor((created_at - 10 * minute - start_time) / (60 * minute)) + 1)
              : spawned + 1,
        },
      },
    },
  ],
  [
    'tells of exports no more than their id, their status and their source',
    {
      wrap: changeAll(({ id, status, source_bulk_export_id, created_at }) => ({
        id,
        status,
        source_bulk_export_id,
        created_at,
      })),
    },
  ],
  [
    'shows the begin of the schedule on all that it spawned',
    {
      wrap: changeAll((one) =>
        one['source_bulk_export_id'] ? { ...one, start_time: '2020-01-01T00:00:00Z', end_time: null } : one,
      ),
    },
  ],
  [
    'tells times by the second, with another zone, and under other names',
    {
      wrap: changeAll(({ finished_at, start_time, ...one }) => ({
        ...one,
        ended: finished_at && String(finished_at).replace(/\.\d+/, ''),
        start_time:
          start_time &&
          new Date(Date.parse(String(start_time)) + 120 * minute).toISOString().replace(/\.\d+Z$/, '+02:00'),
      })),
    },
  ],
])('a right service that %s fails nothing', async (_, options) => {
  const { rows } = await verified(options)

  expect(rows('fail', 'warning', 'blocked', 'error')).toEqual([])
  expect(rows('pass').length).toBeGreaterThan(8)
})

test('without reported windows and runs, the windows are inconclusive', async () => {
  const { rows } = await verified({
    quiet: true,
    wrap: (fetch) => {
      const bare = changeAll(({ id, status, source_bulk_export_id }) => ({ id, status, source_bulk_export_id }))(fetch)
      return changeObjects(listRuns, ({ id, status, errors }) => ({ id, status, errors }))(bare)
    },
  })

  expect(rows('fail', 'warning', 'blocked', 'error')).toEqual([])
  expect(rows('pass')).toContain('export.schedule.spawns')
  expect(rows('inconclusive')).toEqual(
    expect.arrayContaining(['export.schedule.every-window', 'export.schedule.filter', 'export.schedule.own-path']),
  )
})

test('a run before the windows are due fails no requirement and cancels nothing', async () => {
  const { rows, why } = await verified({}, 0.1)

  expect(rows('fail', 'warning', 'blocked', 'error')).toEqual([])
  expect(why('export.schedule.every-window')).toMatch(/, exports of some windows may still be running$/)
  expect(rows('inconclusive')).toContain('export.cancel.stops-spawning')
})

test('the start uses the time of the service, not that of this machine', async () => {
  const ahead = Date.now() + 40 * minute
  const { declared, bucket } = await phasedTarget({
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      response.headers.set('date', new Date(ahead).toUTCString())
      return response
    },
  })
  const { driver: _, ...withoutClock } = declared.export ?? { session: '' }
  const ignore = () => undefined

  const { export: started } = await startSchedules(
    { endpoints: { export: { ...declared, export: withoutClock } }, bucket },
    ignore,
    ignore,
  )

  expect(Date.parse(started?.createdAt ?? '')).toBe(Math.floor(ahead / 1000) * 1000)
})

test('past windows are observed', async () => {
  const { observed } = await verified({})

  expect(observed('export.schedule.catch-up')).toBe('2 of 2 past windows are exported later')
})
