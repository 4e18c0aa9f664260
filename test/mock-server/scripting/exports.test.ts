import { expect, onTestFinished, test } from 'vitest'
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { exportClient } from '../../fixtures/export-client.ts'
import { recordsAt, SESSION } from '../../fixtures/export-context.ts'
import { rowsOf } from '../../fixtures/parquet.ts'

const HOUR = 3_600_000

/** A mock server on 10 January 2026 with a destination in a memory bucket. */
async function setUp(options: MockServerOptions = {}) {
  const clock = manualClock(Date.UTC(2026, 0, 10))
  const mock = createMockServer({ clock, export: { bucket: 'memory' }, ...options })
  onTestFinished(() => mock.close())
  const api = exportClient(mock)
  const { id } = await api.ok('POST', '/destinations', {
    destination_type: 's3',
    display_name: 'anywhere',
    config: { bucket_name: 'traces', prefix: 'exports', region: 'eu-north-1' },
    credentials: { access_key_id: 'any', secret_access_key: 'any' },
  })
  /** Creates an export of 1 to 3 January and returns its id. */
  const create = async (fields: object = {}): Promise<string> => {
    const window = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-04T00:00:00Z' }
    const body = { bulk_export_destination_id: id, session_id: SESSION, ...window, ...fields }
    return (await api.ok('POST', '', body)).id
  }
  const status = async (exportId: string): Promise<string> => (await api.ok('GET', `/${exportId}`)).status
  return {
    api,
    clock,
    mock,
    create,
    status,
    reaches: (exportId: string, wanted: string) => eventually(async () => expect(await status(exportId)).toBe(wanted)),
    runs: (exportId: string) => api.ok('GET', `/${exportId}/runs`),
  }
}

test('exports to a memory bucket write files that a test can read', async () => {
  const { mock, create, reaches } = await setUp()
  await mock.seedRuns(recordsAt(['2026-01-01T12:00:00Z', '2026-01-03T12:00:00Z']))
  const id = await create()
  await reaches(id, 'Completed')

  const files = mock.files()
  expect(files.map(({ bucket, key }) => `${bucket}/${key}`)).toEqual([
    expect.stringMatching(new RegExp(`^traces/exports/export_id=${id}/.*/year=2026/month=1/day=1/.*parquet$`)),
    expect.stringContaining('/day=3/'),
  ])
  const rows = await Promise.all(files.map(rowsOf))
  expect(rows.flat().map((row) => row['name'])).toEqual(['run-0', 'run-1'])
})

test('a scripted export writes generated rows for each date', async () => {
  const { mock, create, reaches, runs } = await setUp()
  const script = mock.scriptExports({ rows: 25 })
  const id = await create()
  await reaches(id, 'Completed')

  const rows = await runs(id)
  expect(
    rows.map((run: { metadata: { result: { rows_written: number } } }) => run.metadata.result.rows_written),
  ).toEqual([25, 25, 25])
  const [file] = mock.files()
  expect(file && (await rowsOf(file)).length).toBe(25)
  expect(script.taken).toBe(1)
})

test('a scripted export of many rows is uploaded in parts', async () => {
  const { mock, create, reaches } = await setUp()
  mock.scriptExports({ rows: 12_000 })
  const id = await create({ end_time: '2026-01-02T00:00:00Z', compression: 'none' })
  await reaches(id, 'Completed')

  const [file] = mock.files()
  expect(file?.bytes.byteLength).toBeGreaterThan(5 * 2 ** 20)
  expect(file && (await rowsOf(file)).length).toBe(12_000)
})

test('dateMs delays each date by the clock', async () => {
  const { mock, clock, create, status, runs } = await setUp()
  mock.scriptExports({ dateMs: HOUR })
  const id = await create()
  const statuses = async () => (await runs(id)).map((run: { status: string }) => run.status)

  await clock.advance(HOUR - 1)
  expect(await status(id)).toBe('Running')
  expect(await statuses()).toEqual(['Running', 'Running', 'Created'])
  await clock.advance(1)
  expect(await statuses()).toEqual(['Completed', 'Completed', 'Running'])
  await clock.advance(HOUR)
  expect(await status(id)).toBe('Completed')
})

test('a scripted date fails with its message, and the others complete', async () => {
  const { mock, create, reaches, runs } = await setUp()
  mock.scriptExports({ rows: 1, fail: { '2026-01-02': 'Access denied' } }, { fail: 'Bucket is not valid' })
  const partial = await create()
  await reaches(partial, 'Failed')
  expect(await runs(partial)).toMatchObject([
    { status: 'Completed', errors: null },
    { status: 'Failed', errors: { retry_0: 'Access denied' } },
    { status: 'Completed', errors: null },
  ])

  const failed = await create()
  await reaches(failed, 'Failed')
  expect(new Set((await runs(failed)).map((run: { errors: { retry_0: string } }) => run.errors.retry_0))).toEqual(
    new Set(['Bucket is not valid']),
  )
})

test('a slow export can be cancelled by a request or by the script', async () => {
  const { api, mock, clock, create, status, runs } = await setUp()
  mock.scriptExports({ dateMs: HOUR }, { dateMs: HOUR, cancelledAfterMs: HOUR + 1 })
  const first = await create()
  await clock.advance(1)
  await api.ok('PATCH', `/${first}`, { status: 'Cancelled' })
  expect(await status(first)).toBe('Cancelled')

  const second = await create()
  await clock.advance(HOUR)
  expect(await status(second)).toBe('Running')
  await clock.advance(1)
  expect(await status(second)).toBe('Cancelled')
  expect((await runs(second)).map((run: { status: string }) => run.status)).toEqual([
    'Completed',
    'Completed',
    'Cancelled',
  ])
})

test('exports of a schedule consume the script in order, then behave as without a script', async () => {
  const { mock, clock, create, api } = await setUp()
  mock.scriptExports({ rows: 1 }, { fail: 'Access denied' })
  const schedule = await create({ start_time: '2026-01-10T00:00:00Z', end_time: undefined, interval_hours: 1 })
  await clock.advance(3 * HOUR + 600_000)

  const exports: { source_bulk_export_id: string; status: string }[] = await api.ok('GET', '')
  const spawned = exports.filter(({ source_bulk_export_id }) => source_bulk_export_id === schedule)
  expect(spawned.map(({ status }) => status).toReversed()).toEqual(['Completed', 'Failed', 'Completed'])
  expect(mock.files()).toHaveLength(1)
})

test('a script supports repeat, otherwise, reset and restore', async () => {
  const { mock, create, reaches } = await setUp()
  mock.scriptExports({ rows: 1 }).otherwise({ fail: 'no more' })
  for (const wanted of ['Completed', 'Failed', 'Failed']) await reaches(await create(), wanted)
  const snapshot = mock.snapshot()

  mock.reset()
  expect(mock.files()).toEqual([])
  mock.restore(snapshot)
  expect(mock.files()).toHaveLength(3)
  mock.scriptExports({ rows: 1 }, { fail: 'odd' }).repeat()
  for (const wanted of ['Completed', 'Failed', 'Completed']) await reaches(await create(), wanted)
})

test('a scenario can script exports', async () => {
  const scenario = {
    exports: { bucket: 'memory' as const, script: [{ rows: 2 }], otherwise: { fail: 'Access denied' } },
  }
  const { mock, create, reaches } = await setUp({ scenario, export: {} })

  await reaches(await create(), 'Completed')
  await reaches(await create(), 'Failed')
  expect(mock.files()).toHaveLength(3)
})

test('rejects an invalid scripted export with a message', () => {
  const mock = createMockServer()
  expect(() => mock.scriptExports({ rows: 1 }, { rows: -1 })).toThrow(
    'Export 2 of the script: Field "rows": Too small: expected number to be >=0, received -1',
  )
  expect(() => mock.scriptExports({ row: 1 } as object)).toThrow(
    /^Export 1 of the script: unknown key "row"; expected only rows, dateMs, fail, cancelledAfterMs$/,
  )
  expect(() => mock.scriptExports({ fail: { tomorrow: 'x' } })).toThrow('an object with texts by date')
  expect(() => createMockServer({ export: { bucket: 'disk' as never } })).toThrow(
    'export.bucket: expected "s3" or "memory", received "disk"',
  )
  const scenario = { exports: { script: [{ row: 1 }] } }
  expect(() => createMockServer({ scenario: scenario as never })).toThrow('"row"')
})
