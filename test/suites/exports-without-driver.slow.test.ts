import { beforeAll, expect, test } from 'vitest'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { columnsOf } from '../../mock-server/export/files/columns.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { exportScenarios } from '../../suites/scenarios/export/index.ts'
import { changeRange, changeRecords, isPicked } from '../../targets/mutants/export/trace-records.ts'
import type { Mutant } from '../../targets/mutants/mutant.ts'
import { mutantWithId } from '../fixtures/mutants.ts'
import { needsDriver, runsOf, targetWithoutDriver } from '../fixtures/target-without-driver.ts'

const day = 86_400_000

let bucket: BucketStore
beforeAll(async () => {
  const { store, close } = await openBucketStore('embedded')
  bucket = store
  return close
})

async function decisions(endpoint: TargetEndpoint, scenarios = exportScenarios): Promise<readonly Decision[]> {
  const session = openSession({ endpoints: { export: endpoint }, bucket }, 'export', 'seed')
  try {
    return await runAndDecide(scenarios, [session], 16)
  } finally {
    await session.close()
  }
}

const rowsWith = (found: readonly Decision[], ...verdicts: readonly Decision['verdict'][]) =>
  found
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ requirement }) => requirement)
    .sort()

test('tests a conforming service with its existing runs; everything else names the driver', async () => {
  const { endpoint } = await targetWithoutDriver()

  const found = await decisions(endpoint)

  const locked = found.filter(({ verdict }) => verdict === 'inconclusive')
  expect(rowsWith(found, 'fail', 'warning', 'blocked', 'error')).toEqual([])
  expect(locked.filter(({ requirement }) => !needsDriver.test(requirement))).toEqual([])
  expect(locked.filter(({ unlock }) => !unlock?.includes('endpoints.export.export.driver'))).toEqual([])
  expect(new Set(locked.map(({ requirement }) => requirement)).size).toBe(22)
})

const projecting = (of: { readonly export_fields: readonly string[] | null }) => of.export_fields !== null
const known = (id: string) => mutantWithId(id).exportPolicies

const defects: readonly [defect: string, policies: Mutant['exportPolicies'], rows: readonly string[]][] = [
  [
    'export_fields leaves out a run in 64',
    changeRecords((record) => (isPicked(record) ? [] : [record]), projecting),
    ['export.fields.same-runs'],
  ],
  [
    'export_fields changes a name in 64',
    changeRecords((record) => [isPicked(record) ? { ...record, name: `${record.name}.` } : record], projecting),
    ['export.fields.same-values'],
  ],
  [
    'export_fields adds a column',
    ({ columnsOf: usual }) => ({
      columnsOf: (of) => [
        ...usual(of),
        ...(projecting(of) ? columnsOf(['trace_id']).filter(({ name }) => name === 'trace_id') : []),
      ],
    }),
    ['export.fields.limit-columns'],
  ],
  [
    'filters by type let everything pass',
    ({ compileFilter }) => ({
      compileFilter: (text) => (text.startsWith('eq(run_type') ? () => true : compileFilter(text)),
    }),
    ['export.filter.eq.run_type'],
  ],
  [
    '% in a pattern stands for itself',
    ({ compileFilter }) => ({ compileFilter: (text) => compileFilter(text.replaceAll('%', '\\\\%')) }),
    ['export.filter.like.prefix', 'export.filter.like.suffix', 'export.filter.like.infix', 'export.filter.like.middle'],
  ],
  [
    '`and` exports what passes its first part',
    ({ compileFilter }) => ({
      compileFilter: (text) => compileFilter(/^and\((eq\([^)]*\))/.exec(text)?.[1] ?? text),
    }),
    ['export.filter.and', 'export.filter.and.nested', 'export.filter.eq.input_value', 'export.filter.like.input_value'],
  ],
  ['partitions are cut two hours east of UTC', known('export.file.local-date'), ['export.file.partition']],
  [
    'the start of a window is exclusive',
    changeRange(({ startMs, endMs }) => ({ startMs: startMs % day === 0 ? startMs : startMs + 1, endMs })),
    ['export.file.border-kept'],
  ],
  [
    'the end of a window is inclusive',
    changeRange(({ startMs, endMs }) => ({ startMs, endMs: endMs % day === 0 ? endMs : endMs + 1 })),
    ['export.file.border'],
  ],
  ['the first hour of a window is lost', known('export.service.first-hour-lost'), ['export.service.time-range']],
  ['an hour too much is exported', known('export.service.hour-too-much'), ['export.service.nothing-outside']],
  ['without a filter no tools are exported', known('export.filter.default'), ['export.filter.omitted']],
  ['files go elsewhere', known('export.service.files-elsewhere'), ['export.service.own-bucket']],
  ['a row in 64 is exported twice', known('export.file.row-twice'), ['export.file.rows.once']],
  ['is_root is wrong in one row of 64', known('export.record.is_root.wrong'), ['export.record.is_root.value']],
  ['a project is read whoever owns it', known('export.auth.tenant-ignored'), ['export.auth.workspace.records']],
]

test.each(defects)('without a driver, detects that %s', async (_, policies, rows) => {
  const { endpoint } = await targetWithoutDriver({ policies: { export: policies?.(defaultExportPolicies) ?? {} } })

  const scenarios = exportScenarios.filter((scenario) =>
    scenario.exercises.some((requirement) => rows.includes(requirement)),
  )
  const found = await decisions(endpoint, scenarios)

  expect(rowsWith(found, 'fail', 'warning')).toEqual(expect.arrayContaining([...rows]))
  expect(rowsWith(found, 'error')).toEqual([])
})

test('runs that arrive during the test fail no requirement', async () => {
  let exports = 0
  let grow: () => Promise<void> = async () => {}
  const { endpoint, add } = await targetWithoutDriver({
    wrap: (fetch) => async (request) => {
      if (request.method === 'POST' && request.url.endsWith('/api/v1/bulk-exports')) await grow()
      return fetch(request)
    },
  })
  const session = endpoint.export?.session ?? ''
  grow = () => add(runsOf(endpoint.headers ?? {}, session, `late ${exports++}`).slice(60, 64))

  const found = await decisions(endpoint)

  expect(rowsWith(found, 'fail', 'warning', 'error')).toEqual([])
})
