import { beforeAll, expect, test } from 'vitest'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import type { Exchange } from '../../reporters/model/report.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { evidenceOf } from '../../suites/evaluate/evidence.ts'
import { openSession } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { exportScenarios } from '../../suites/scenarios/export/index.ts'
import { changeObjects, createDestination, listExports, listRuns } from '../../targets/mutants/export/routes.ts'
import { changeRecords, isPicked } from '../../targets/mutants/export/trace-records.ts'
import { startExportServer } from '../../targets/reference-server.ts'
import type { Fetch } from '../../targets/wrappers/fetch.ts'
import { jsonBody } from '../../targets/wrappers/requests.ts'
import { combine } from '../../targets/wrappers/responses.ts'
import { matchesRoute } from '../../targets/wrappers/routes.ts'
import { modelOf } from '../fixtures/deployment-trace.ts'

const filter = 'eq(run_type, "llm")'
const base = '/api/v1/bulk-exports'

/** Returns one of the temporary credentials in a header of the response to their registration. */
function tellsToken(fetch: Fetch): Fetch {
  return async (request) => {
    const { credentials } = matchesRoute(request, createDestination) ? await jsonBody(request) : {}
    const response = await fetch(request)
    const token = Object(credentials).session_token
    if (token !== undefined) response.headers.set('x-debug', `token ${token}`)
    return response
  }
}

/** The requirements that the service below fails. */
const failing: readonly RequirementId[] = [
  'export.destination.credentials.not-answered',
  'export.list.creation-time',
  'export.record.name.value',
  'export.filter.eq.run_type',
  'export.run.rows',
]

let store: BucketStore
let failures: ReadonlyMap<string, Decision>

beforeAll(async () => {
  const opened = await openBucketStore('embedded')
  store = opened.store
  const { endpoint, close } = await startExportServer({
    wrap: combine(
      tellsToken,
      changeObjects(listExports, ({ created_at: _, ...one }) => one),
      changeObjects(listRuns, (run) => ({ ...run, metadata: { rows_written: 7 } })),
    ),
    policies: {
      export: {
        ...changeRecords((record) => [isPicked(record) ? { ...record, name: `${record.name}!` } : record])(
          defaultExportPolicies,
        ),
        compileFilter: (text) => (text === filter ? () => true : defaultExportPolicies.compileFilter(text)),
      },
    },
  })
  const session = openSession({ endpoints: { export: endpoint }, bucket: store }, 'export', 'seed')
  const found = await runAndDecide(
    exportScenarios.filter(({ exercises }) => exercises.some((id) => failing.includes(id))),
    [session],
    16,
  )
  failures = new Map(found.filter(({ verdict }) => verdict === 'fail').map((one) => [one.requirement, one]))
  await session.close()
  await close()
  await opened.close()
}, 60_000)

function shown(requirement: string): Exchange {
  const last = failures.get(requirement)?.evidence?.exchanges.at(-1)
  if (last === undefined)
    throw new Error(`${requirement} shows no exchange; failed: ${[...failures.keys()].join(', ')}`)
  return last
}

const path = ({ method, url }: Exchange) => `${method} ${new URL(url).pathname}${new URL(url).search}`

test('every failure shows a request with its response and a curl command', () => {
  expect([...failures.keys()]).toEqual(expect.arrayContaining([...failing]))
  // Checks decide those of schedules.
  for (const { requirement, evidence } of [...failures.values()].filter(
    ({ requirement }) => !requirement.startsWith('export.schedule.'),
  )) {
    expect(evidence?.exchanges.at(-1), requirement).toMatchObject({ status: expect.any(Number), curl: /^curl / })
  }
})

test('names a leaked credential, its place, and the exchange', () => {
  const { received } = failures.get('export.destination.credentials.not-answered')?.failure ?? {}
  expect(received).toContain('TOUCHSTONE_S3_TEMPORARY_SESSION_TOKEN in the header x-debug')
  const exchange = shown('export.destination.credentials.not-answered')
  expect(path(exchange)).toBe(`POST ${base}/destinations`)
  expect(exchange.requestBody).toContain('session_token')
  expect(exchange.responseHeaders).toHaveProperty('x-debug', 'token [redacted]')
})

test('shows the page that contains an entry of a list', () => {
  const { received = '' } = failures.get('export.list.creation-time')?.failure ?? {}
  expect(received).toMatch(/^id: "[^"]+", .*finished_at: /)
  expect(shown('export.list.creation-time').responseBody).toContain(/^id: ("[^"]+")/.exec(received)?.[1])
})

test('a failure in files shows the request that created the export, and before it the destination', () => {
  const exchange = shown('export.record.name.value')
  expect(path(exchange)).toBe(`POST ${base}`)
  expect(exchange.requestBody).toMatch(/"start_time":"20\d\d-\d\d-\d\dT/)
  const before = failures.get('export.record.name.value')?.evidence?.exchanges.map(path)
  expect(before).toContain(`POST ${base}/destinations`)
  expect(failures.get('export.record.name.value')?.failure?.received).toMatch(/^`name` is .* for run .*\.parquet/)
})

test('the shown request contains the filter', () => {
  expect(shown('export.filter.eq.run_type').requestBody).toContain(JSON.stringify(filter))
})

test('shows the reported number of rows, the number in the files, and the response that reported it', () => {
  expect(failures.get('export.run.rows')?.failure?.received).toMatch(
    /^\d+ export runs: run 1 and \d+ more: .*metadata.rows_written: 7$/,
  )
  expect(path(shown('export.run.rows'))).toMatch(/^GET .*\/runs$/)
})

test('of a list that is too long for a report, shows the entry that was received', () => {
  const threads = Array.from({ length: 100 }, () => ({ thread_id: crypto.randomUUID(), metadata: {}, status: 'idle' }))
  const exchange = modelOf([['POST /threads/search', {}, threads, 1, 2]]).exchanges.at(-1)
  const id = threads[90]?.thread_id
  if (exchange === undefined || id === undefined) throw new Error('expected one exchange')
  const { exchanges } = evidenceOf({ exchange }, new Map(), 0, `thread ${id} of another user`)
  expect(exchanges[0]?.responseBody).toContain(id)
})
