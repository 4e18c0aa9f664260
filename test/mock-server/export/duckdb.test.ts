import { expect, onTestFinished, test } from 'vitest'
import { openBucketStore } from '../../../fixtures/bucket/open.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { bucketClient } from '../../../suites/harness/export/bucket-client.ts'
import { openSession } from '../../../suites/harness/session.ts'
import { runAndDecide } from '../../../suites/runner/run-and-decide.ts'
import { exportScenarios } from '../../../suites/scenarios/export/index.ts'
import { startExportServer } from '../../../targets/reference-server.ts'
import { duckDb, folderOf, type Query } from '../../fixtures/duckdb.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { destinationIn, type ExportClient, exportClient, PLUS } from '../../fixtures/export-client.ts'
import { exportContext, SESSION, TENANT } from '../../fixtures/export-context.ts'

const DAY = 86_400_000
const OTHER = { tenant: PLUS['X-Tenant-Id'] ?? '', session: '5e000000-0000-4000-8000-000000000002' }

/** Rows by export, workspace and date. */
type Counts = Readonly<Record<string, number>>

/** Row counts of the files in a bucket according to the API. */
async function countsOfApi(api: Pick<ExportClient, 'ok'>, bucket: string): Promise<Counts> {
  const counts: Record<string, number> = {}
  const bucketNames = new Map<string, string>()
  for (const { id, config } of await api.ok('GET', '/destinations')) bucketNames.set(id, config.bucket_name)
  for (const { id, tenant_id, bulk_export_destination_id } of await api.ok('GET', '')) {
    if (bucketNames.get(bulk_export_destination_id) !== bucket) continue
    for (const { start_time, metadata } of await api.ok('GET', `/${id}/runs`)) {
      const [year, month, day] = start_time.slice(0, 10).split('-').map(Number)
      const { rows_written } = metadata.result
      if (rows_written > 0) counts[`${id} ${tenant_id} ${year}-${month}-${day}`] = rows_written
    }
  }
  return counts
}

/** Row counts that DuckDB reads from a folder, with export, workspace and date from the paths. */
async function countsOfFiles(query: Query, folder: string): Promise<Counts> {
  const rows = await query(`
    SELECT export_id || ' ' || tenant_id || ' ' || year || '-' || month || '-' || day AS part, count(*)::INT AS rows
    FROM ${tree(folder)} GROUP BY ALL`)
  return Object.fromEntries(rows.map(({ part, rows: count }) => [String(part), Number(count)]))
}

/** The files below a folder as one table. Columns differ between exports, never within one. */
function tree(folder: string, hive = true): string {
  return `read_parquet('${folder}/**/*.parquet', hive_partitioning = ${hive}, union_by_name = true, filename = true)`
}

/** A query that counts rows whose columns contradict the path of their file. */
function misplaced(folder: string): string {
  const segment = (name: string): string => `regexp_extract(filename, '/${name}=([^/]+)/', 1)`
  return `
    SELECT count(*)::INT AS rows FROM ${tree(folder, false)}
    WHERE tenant_id <> ${segment('tenant_id')} OR session_id <> ${segment('session_id')}
      OR strftime(start_time, '%Y-%-m-%-d') <> concat_ws('-', ${['year', 'month', 'day'].map(segment).join(', ')})`
}

test('DuckDB and the API count the same rows by export, workspace and date', async () => {
  const context = await exportContext()
  const plus = exportClient(context.mock, PLUS)
  const { id: destination } = await plus.ok(
    'POST',
    '/destinations',
    destinationIn(context.bucket, context.bucket.credentials),
  )
  const startMs = context.clock.now() - 5 * DAY
  for (const [tenantId, sessionId] of [
    [TENANT, SESSION],
    [TENANT, OTHER.session],
    [OTHER.tenant, OTHER.session],
  ] as const) {
    const traces = {
      seed: `${tenantId} ${sessionId}`,
      tenantId,
      sessionId,
      startMs,
      endMs: startMs + 8 * DAY,
      traces: 300,
    }
    for (const batch of traceStream({ ...traces, borders: [startMs + DAY] }).all()) await context.mock.seedRuns(batch)
  }
  const window = {
    start_time: new Date(startMs + 1).toISOString(),
    end_time: new Date(startMs + 5 * DAY - 1).toISOString(),
  }
  const filter = 'and(eq(run_type, "llm"), not(eq(status, "error")))'
  await context.create(window)
  await context.create({ ...window, session_id: OTHER.session, compression: 'zstd', filter })
  await context.create({ ...window, compression: 'snappy', export_fields: ['id', 'session_id', 'start_time'] })
  await plus.ok('POST', '', { ...window, bulk_export_destination_id: destination, session_id: OTHER.session })
  await context.create({
    start_time: new Date(startMs + 5 * DAY).toISOString(),
    end_time: undefined,
    interval_hours: 7,
  })
  await context.clock.advance(2 * DAY)
  const isActive = ({ status }: { status: string }) => status === 'Created' || status === 'Running'
  await eventually(async () => {
    expect([...(await context.api.ok('GET', '')), ...(await plus.ok('GET', ''))].filter(isActive)).toEqual([])
  })

  const query = await duckDb()
  const folder = await folderOf(await context.bucket.keys(), context.bucket.read)
  const counts = {
    ...(await countsOfApi(context.api, context.bucket.name)),
    ...(await countsOfApi(plus, context.bucket.name)),
  }
  expect(await countsOfFiles(query, folder)).toEqual(counts)
  expect(Object.keys(counts).length).toBeGreaterThan(20)
  expect(await query(misplaced(folder))).toEqual([{ rows: 0 }])
  expect(
    await query(`SELECT count(*)::INT AS rows FROM ${tree(folder)} WHERE export_id || id IN (
    SELECT export_id || id FROM ${tree(folder)} GROUP BY ALL HAVING count(*) > 1)`),
  ).toEqual([{ rows: 0 }])
})

test('DuckDB and the API count the same rows in the exports of the suites', async () => {
  const { store, close } = await openBucketStore('embedded')
  const { endpoint, close: stop } = await startExportServer()
  const session = openSession({ endpoints: { export: endpoint }, bucket: store }, 'export', 'duck')
  onTestFinished(async () => {
    await session.close()
    await stop()
    await close()
  })
  await runAndDecide(exportScenarios, [session], 16)

  const { list, open, shared } = bucketClient(session)
  const bucket = await shared()
  const objects = (await list(bucket)).filter(({ key }) => key.endsWith('.parquet'))
  const byKey = new Map(objects.map((object) => [object.key, object]))
  const folder = await folderOf([...byKey.keys()], async (key) => {
    const object = byKey.get(key) ?? { key, size: 0 }
    return new Uint8Array(await open(bucket, object).slice(0, object.size))
  })
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${endpoint.url}/api/v1/bulk-exports${path}`, {
      headers: { ...endpoint.headers, ...headers },
    })
    return response.json()
  }
  const counts = {
    ...(await countsOfApi({ ok: (_, path) => get(path) }, bucket)),
    ...(await countsOfApi({ ok: (_, path) => get(path, endpoint.export?.other?.headers) }, bucket)),
  }
  expect(await countsOfFiles(await duckDb(), folder)).toEqual(counts)
  expect(Object.keys(counts).length).toBeGreaterThan(20)
})
