import { describe, expect, test } from 'vitest'
import { DEVELOPER, PLUS } from '../../fixtures/export-client.ts'
import { exportContext, idOf, recordsAt, SESSION, TENANT } from '../../fixtures/export-context.ts'

const BORDERS = [
  '2025-12-31T23:59:59.999999Z',
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T23:59:59.999000Z',
  '2026-01-02T00:00:00.000000Z',
  '2026-01-03T23:59:59.999000Z',
  '2026-01-04T00:00:00.000000Z',
]

test('writes one file per date, start inclusive and end exclusive, to the documented path', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(BORDERS))
  const created = await context.create()
  expect(created.status).toBe('Created')
  const completed = await context.reaches(created.id, 'Completed')
  expect(completed).toMatchObject({ tenant_id: TENANT, session_id: SESSION, compression: 'gzip', interval_hours: null })
  expect(completed['source_bulk_export_id']).toBeNull()

  const path = (day: number): string =>
    `traces/export_id=${created.id}/tenant_id=${TENANT}/session_id=${SESSION}/runs/year=2026/month=1/day=${day}/`
  const keys = await context.bucket.keys()
  expect(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1))).toEqual([path(1), path(2), path(3)])
  expect((await context.rows(created.id)).map(({ name }) => name)).toEqual(['run-1', 'run-2', 'run-3', 'run-4'])

  const runs = await context.runs(created.id)
  expect(runs.map(({ status, errors, metadata }) => [status, errors, metadata.result.rows_written])).toEqual([
    ['Completed', null, 2],
    ['Completed', null, 1],
    ['Completed', null, 1],
  ])
  expect(runs.map(({ metadata }) => metadata.result.exported_files)).toEqual(keys.map((key) => [`exports/${key}`]))
  expect(runs.map(({ start_time, end_time }) => [start_time.slice(0, 10), end_time.slice(0, 10)])).toEqual([
    ['2026-01-01', '2026-01-02'],
    ['2026-01-02', '2026-01-03'],
    ['2026-01-03', '2026-01-04'],
  ])
  expect(await context.api.ok('GET', `/${created.id}/runs/${runs[0].id}`)).toEqual(runs[0])
})

test('a window within a day limits its run, and a date without rows has a run but no file', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(['2026-01-01T11:59:59.999Z', '2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z']))
  const { id } = await context.create({ start_time: '2026-01-01T12:00:00Z', end_time: '2026-01-02T12:00:00Z' })
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-1'])
  const runs = await context.runs(id)
  expect(runs.map(({ start_time }) => start_time)).toEqual([
    '2026-01-01T12:00:00.000000+00:00',
    '2026-01-02T00:00:00.000000+00:00',
  ])
  expect(runs.map(({ metadata }) => metadata.result.exported_files.length)).toEqual([1, 0])
  expect(await context.bucket.keys()).toHaveLength(1)
})

test('converts times with an offset to UTC and reads times without one as UTC', async () => {
  const context = await exportContext()
  const { id } = await context.create({ start_time: '2026-01-01T02:00:00+02:00', end_time: '2026-01-02T00:00:00' })
  expect(await context.reaches(id, 'Completed')).toMatchObject({
    start_time: '2026-01-01T00:00:00.000000+00:00',
    end_time: '2026-01-02T00:00:00.000000+00:00',
  })
})

test('orders rows by start time and id, without rows of other projects and workspaces', async () => {
  const context = await exportContext()
  const time = '2026-01-01T10:00:00Z'
  await context.mock.seedRuns([...recordsAt([time, time, '2026-01-01T09:00:00Z'])].reverse())
  await context.mock.seedRuns(recordsAt([time], { id: idOf(7), session_id: '5e000000-0000-4000-8000-000000000002' }))
  await context.mock.seedRuns(recordsAt([time], { id: idOf(8), tenant_id: PLUS['X-Tenant-Id'] ?? '' }))
  const { id } = await context.create()
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map((row) => row['id'])).toEqual([idOf(2), idOf(0), idOf(1)])
})

test('a filter selects rows', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(BORDERS))
  const { id } = await context.create({ filter: 'eq(name, "run-2")' })
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-2'])
})

test('export_fields limits the columns', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(BORDERS))
  const { id } = await context.create({ export_fields: ['name', 'id', 'name'] })
  expect(await context.reaches(id, 'Completed')).toMatchObject({ export_fields: ['name', 'id'] })
  for (const row of await context.rows(id)) expect(Object.keys(row)).toEqual(['id', 'tenant_id', 'name', 'is_root'])
})

test.each(['none', 'gzip', 'snappy', 'zstd', 'zstandard'])('compresses files with %s', async (compression) => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(BORDERS))
  const { id } = await context.create({ compression })
  expect(await context.reaches(id, 'Completed')).toMatchObject({ compression })
  expect(await context.rows(id)).toHaveLength(4)
})

describe('a list', () => {
  test('returns exports newest first, in pages', async () => {
    const context = await exportContext()
    const ids: string[] = []
    for (const _ of [1, 2, 3]) ids.unshift((await context.create()).id)
    const idsOf = async (query: string): Promise<string[]> =>
      (await context.api.ok('GET', query)).map(({ id }: { id: string }) => id)
    expect(await idsOf('')).toEqual(ids)
    expect(await idsOf('?limit=2')).toEqual(ids.slice(0, 2))
    expect(await idsOf('?limit=2&offset=2')).toEqual(ids.slice(2))
    for (const query of ['?limit=0', '?limit=1001', '?offset=-1', '?limit=x', '?limit=1&limit=2']) {
      expect((await context.api.send('GET', query)).status).toBe(422)
    }
  })

  test('contains nothing of another workspace', async () => {
    const context = await exportContext()
    const { id } = await context.create()
    await context.reaches(id, 'Completed')
    const [run] = await context.runs(id)
    expect(await context.api.ok('GET', '', undefined, PLUS)).toEqual([])
    for (const path of [`/${id}`, `/${id}/runs`, `/${id}/runs/${run.id}`, `/runs?source_bulk_export_id=${id}`]) {
      expect((await context.api.send('GET', path, undefined, PLUS)).status).toBe(404)
    }
    expect((await context.api.send('PATCH', `/${id}`, { status: 'Cancelled' }, PLUS)).status).toBe(404)
    const body = {
      bulk_export_destination_id: context.destination,
      session_id: SESSION,
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-02T00:00:00Z',
    }
    expect((await context.api.send('POST', '', body, PLUS)).status).toBe(404)
    expect((await context.api.ok('GET', `/${id}`)).status).toBe('Completed')
  })
})

describe('rejects an invalid export with the name of the field, and creates nothing', () => {
  test.each<[string, object, string]>([
    ['a one-off export without end', { end_time: undefined }, 'end_time'],
    ['a one-off export with end null', { end_time: null }, 'end_time'],
    ['no start', { start_time: undefined }, 'start_time'],
    ['an end before the start', { end_time: '2025-12-31T00:00:00Z' }, 'end_time'],
    ['an end at the start', { end_time: '2026-01-01T00:00:00Z' }, 'end_time'],
    ['a window of several centuries', { end_time: '2999-01-01T00:00:00Z' }, 'end_time'],
    ['a nonexistent day', { start_time: '2026-02-30T00:00:00Z' }, 'start_time'],
    ['a date without time', { start_time: '2026-01-01' }, 'start_time'],
    ['a number as time', { start_time: 1767225600 }, 'start_time'],
    ['a scheduled export with end', { interval_hours: 1 }, 'end_time'],
    ['0 hours', { interval_hours: 0, end_time: undefined }, 'interval_hours'],
    ['169 hours', { interval_hours: 169, end_time: undefined }, 'interval_hours'],
    ['half an hour', { interval_hours: 0.5, end_time: undefined }, 'interval_hours'],
    ['a string of hours', { interval_hours: '1', end_time: undefined }, 'interval_hours'],
    [
      'a schedule from long ago',
      { interval_hours: 1, end_time: null, start_time: '1970-01-01T00:00:00Z' },
      'start_time',
    ],
    ['no project', { session_id: undefined }, 'session_id'],
    ['a project that is not a UUID', { session_id: '../..' }, 'session_id'],
    ['an unknown destination', { bulk_export_destination_id: SESSION }, 'bulk_export_destination_id'],
    ['an unknown field', { export_fields: ['id', 'serialized'] }, 'export_fields'],
    ['no field', { export_fields: [] }, 'export_fields'],
    ['an incomplete filter', { filter: 'eq(name, "a"' }, 'filter'],
    ['an unsupported format', { format: 'CSV' }, 'format'],
    ['an unsupported compression', { compression: 'lz4' }, 'compression'],
  ])('%s', async (_, fields, field) => {
    const context = await exportContext()
    const body = {
      bulk_export_destination_id: context.destination,
      session_id: SESSION,
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-02T00:00:00Z',
      ...fields,
    }
    const { status, body: responseBody } = await context.api.send('POST', '', body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(responseBody.detail).toContain(`"${field}"`)
    expect(await context.api.ok('GET', '')).toEqual([])
  })
})

describe('rejects a request with', () => {
  test.each<[string, Record<string, string>, number]>([
    ['no key', { 'X-Tenant-Id': TENANT }, 401],
    ['an empty key', { 'X-API-Key': '', 'X-Tenant-Id': TENANT }, 401],
    ['an unknown key', { 'X-API-Key': 'canary', 'X-Tenant-Id': TENANT }, 401],
    ['no workspace', { 'X-API-Key': 'touchstone-enterprise' }, 400],
    ['a workspace that is not a UUID', { 'X-API-Key': 'touchstone-enterprise', 'X-Tenant-Id': 'a' }, 400],
    [
      'a workspace of another key',
      { 'X-API-Key': 'touchstone-enterprise', 'X-Tenant-Id': PLUS['X-Tenant-Id'] ?? '' },
      403,
    ],
    ['a plan without bulk export', DEVELOPER, 403],
  ])('%s', async (_, headers, status) => {
    const context = await exportContext()
    const response = await context.api.send('GET', '', undefined, headers)
    expect(response.status).toBe(status)
    expect(response.body.detail).toEqual(expect.any(String))
    expect(response.text).not.toContain('canary')
  })
})

describe('a self-hosted installation', () => {
  test.each<[string, object, string, string]>([
    ['schedules', { interval_hours: 1, end_time: undefined }, '0.10.42', '0.10.108'],
    ['schedules', { interval_hours: 1, end_time: undefined }, '0.10.41', '0.10.109'],
    ['export_fields', { export_fields: ['id'] }, '0.12.11', '0.12.41'],
    ['export_fields', { export_fields: ['id'] }, '0.12.10', '0.12.42'],
  ])('rejects %s in versions that are too old', async (_, fields, chartVersion, appVersion) => {
    const context = await exportContext({ options: { selfHosted: true, chartVersion, appVersion } })
    await expect(context.create(fields)).rejects.toThrow(/422.*needs at least chart version/)
    await context.create()
  })

  test('accepts the minimum versions', async () => {
    const context = await exportContext({
      options: { selfHosted: true, chartVersion: '0.12.11', appVersion: '0.12.42' },
    })
    await context.create({ export_fields: ['id'] })
    await context.create({ interval_hours: 1, end_time: undefined })
  })
})
