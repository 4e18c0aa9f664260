import { expect, test } from 'vitest'
import { defaultExportPolicies } from '../../../mock-server/export/policies.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { controlClient } from '../../fixtures/control-client.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { destinationIn, exportClient } from '../../fixtures/export-client.ts'
import { exportContext, idOf, recordsAt, SESSION, TENANT } from '../../fixtures/export-context.ts'
import { FULL, faultyBucket } from '../../fixtures/faulty-bucket.ts'
import { clientOf, say } from '../../fixtures/mock-client.ts'

const DAYS = ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '2026-01-03T12:00:00Z']

test('the control plane accepts trace records without empty fields', async () => {
  const context = await exportContext()
  const { call } = controlClient(context.mock)
  const seed = (records: unknown) => call('POST', '/__touchstone/traces', { records })
  const minimal = {
    id: idOf(9),
    tenant_id: TENANT,
    session_id: SESSION,
    trace_id: idOf(9),
    name: 'minimal',
    run_type: 'chain',
    start_time: '2026-01-01T14:00:00.000001+02:00',
    is_root: true,
    dotted_order: '',
  }
  expect((await seed([...recordsAt(DAYS), minimal])).body).toEqual({ added: 4 })
  const { id } = await context.create()
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'minimal', 'run-1', 'run-2'])
  const justAfterNoon = { filter: 'and(gt(start_time, "2026-01-01T12:00:00.000000Z"), eq(name, "minimal"))' }
  const filtered = await context.create(justAfterNoon)
  await context.reaches(filtered.id, 'Completed')
  expect(await context.rows(filtered.id)).toHaveLength(1)

  const rejected = await seed([{ ...minimal, start_time: 'yesterday' }])
  expect(rejected.status).toBe(422)
  expect(rejected.body).toMatchObject({ detail: expect.stringContaining('records.0.start_time') })
})

test('runs of the deployment API add traces to traceProject', async () => {
  const bucket = await faultyBucket()
  const mock = createMockServer({ export: { traceProject: { tenantId: TENANT, sessionId: SESSION } } })
  const deployment = clientOf(mock)
  const thread = await deployment.thread()
  const run = await deployment.ended(await deployment.run(thread, { assistant_id: 'tools', ...say('what is 2 + 3?') }))
  const failed = await deployment.ended(await deployment.run(thread, { assistant_id: 'fail', ...say('x') }))

  const api = exportClient(mock)
  const destination = await api.ok('POST', '/destinations', destinationIn(bucket, FULL))
  const { id } = await api.ok('POST', '', {
    bulk_export_destination_id: destination.id,
    session_id: SESSION,
    start_time: new Date(Date.now() - 3_600_000).toISOString(),
    end_time: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await eventually(async () => expect((await api.ok('GET', `/${id}`)).status).toBe('Completed'))
  const rows = await (await exportContext({ bucket, destination: destination.id })).rows(id)
  const roots = rows.filter((row) => row['is_root'])
  expect(roots.map((row) => [row['id'], row['name'], row['status']])).toEqual([
    [run.run_id, 'tools', 'success'],
    [failed.run_id, 'fail', 'error'],
  ])
  expect(roots[1]?.['error']).toEqual(expect.any(String))
  const children = rows.filter((row) => row['parent_run_id'] === run.run_id)
  expect(children.length).toBeGreaterThan(1)
  expect(children.map((row) => row['run_type'])).toContain('tool')
  for (const row of rows) {
    const segments = String(row['dotted_order']).split('.')
    expect(segments).toHaveLength(row['is_root'] ? 1 : 2)
    expect(segments.at(-1)?.slice(-36)).toBe(row['id'])
    expect(segments[0]?.slice(-36)).toBe(row['trace_id'])
  }
  await mock.close()
})

test('a snapshot restores exports, schedules and trace records', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(DAYS))
  const first = await context.create()
  await context.reaches(first.id, 'Completed')
  const schedule = await context.create({ start_time: '2026-01-10T00:00:00Z', end_time: undefined, interval_hours: 1 })
  const listed = await context.api.ok('GET', '')
  const snapshot = context.mock.snapshot()

  await context.api.ok('PATCH', `/${schedule.id}`, { status: 'Cancelled' })
  await context.mock.seedRuns(recordsAt(['2026-01-01T13:00:00Z'], { id: idOf(7) }))
  context.mock.restore(snapshot)
  expect(await context.api.ok('GET', '')).toEqual(listed)
  const second = await context.create()
  await context.reaches(second.id, 'Completed')
  expect(await context.rows(second.id)).toHaveLength(3)
  await context.clock.advance(70 * 60_000)
  expect(await context.api.ok('GET', '')).toHaveLength(listed.length + 2)
})

test('snapshot throws while an export is active', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(DAYS))
  context.bucket.fault = () => 'hang'
  const { id } = await context.create()
  expect(() => context.mock.snapshot()).toThrow('wait until all exports have ended')
  await context.api.ok('PATCH', `/${id}`, {})
})

test('policies can be replaced', async () => {
  const context = await exportContext({
    policies: {
      partitionsOf: (start, end) => defaultExportPolicies.partitionsOf(start, end).slice(0, 1),
      recordsOf: async function* (...range) {
        for await (const batch of defaultExportPolicies.recordsOf(...range)) yield [...batch, ...batch]
      },
    },
  })
  await context.mock.seedRuns(recordsAt(DAYS))
  const { id } = await context.create()
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'run-0'])
})

test('the same seed and requests produce the same ids', async () => {
  const ids = await Promise.all(
    [1, 2].map(async () => {
      const context = await exportContext()
      return [context.destination, (await context.create()).id]
    }),
  )
  expect(ids[0]).toEqual(ids[1])
})

test.each([
  [{ keys: [{ key: '', tenants: [], plan: 'plus' as const }] }, 'export.keys'],
  [{ keys: [{ key: 'a', tenants: ['b'], plan: 'plus' as const }] }, 'expected UUIDs as tenants, received "b"'],
  [{ appVersion: 'newest' }, 'export.appVersion: expected a version such as 0.12.42, received "newest"'],
  [{ encryptionKey: 'canary' }, 'export.encryptionKey: expected 32 bytes'],
  [{ maxConcurrentRuns: 0 }, 'export.maxConcurrentRuns: expected a whole number from 1, received 0'],
])('rejects invalid options: %j', (options, message) => {
  expect(() => createMockServer({ export: options })).toThrow(message)
  expect(() => createMockServer({ export: options })).not.toThrow('canary')
})
