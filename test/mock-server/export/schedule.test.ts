import { expect, test } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { type ExportContext, exportContext, recordsAt } from '../../fixtures/export-context.ts'
import { exportedFiles } from '../../fixtures/parquet.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const START = '2026-01-10T00:00:00Z'

interface SpawnedExport {
  readonly id: string
  readonly status: string
  readonly start_time: string
  readonly end_time: string
  readonly created_at: string
}

/** The exports of a schedule, oldest first. */
async function spawnedBy(context: ExportContext, id: string): Promise<SpawnedExport[]> {
  const all: (SpawnedExport & { source_bulk_export_id: string | null })[] = await context.api.ok('GET', '')
  return all.filter(({ source_bulk_export_id }) => source_bulk_export_id === id).reverse()
}

test('creates each export exactly 10 minutes after the end of its window', async () => {
  const context = await exportContext()
  const fields = {
    start_time: START,
    end_time: undefined,
    interval_hours: 1,
    export_fields: ['id'],
    filter: 'eq(name, "a")',
  }
  const schedule = await context.create(fields)
  expect(schedule).toMatchObject({ status: 'IntervalScheduled', end_time: null, interval_hours: 1 })
  await context.clock.advance(HOUR + 10 * MINUTE - 1)
  expect(await spawnedBy(context, schedule.id)).toEqual([])
  await context.clock.advance(1)
  expect(await spawnedBy(context, schedule.id)).toMatchObject([
    {
      start_time: '2026-01-10T00:00:00.000000+00:00',
      end_time: '2026-01-10T01:00:00.000000+00:00',
      created_at: '2026-01-10T01:10:00.000000+00:00',
      interval_hours: null,
      export_fields: ['id'],
      filter: 'eq(name, "a")',
    },
  ])
  expect((await context.api.ok('GET', `/${schedule.id}`)).status).toBe('IntervalScheduled')
  expect(await context.runs(schedule.id)).toEqual([])
})

test('an advance over many windows completes one export per window', async () => {
  const context = await exportContext()
  const times = Array.from({ length: 7 * 24 }, (_, hour) => new Date(Date.parse(START) + hour * HOUR).toISOString())
  await context.mock.seedRuns(recordsAt(times))
  const { id } = await context.create({ start_time: START, end_time: undefined, interval_hours: 1 })
  await context.clock.advance(7 * 24 * HOUR + 10 * MINUTE)
  const spawned = await spawnedBy(context, id)
  expect(spawned.map(({ status }) => status)).toEqual(times.map(() => 'Completed'))
  expect(spawned.map(({ start_time }) => Date.parse(start_time))).toEqual(times.map((time) => Date.parse(time)))
  expect(spawned.map(({ created_at }) => Date.parse(created_at))).toEqual(
    times.map((time) => Date.parse(time) + HOUR + 10 * MINUTE),
  )
  const runs = await context.api.ok('GET', `/runs?source_bulk_export_id=${id}`)
  expect(
    runs.map((run: { metadata: { result: { rows_written: number } } }) => run.metadata.result.rows_written),
  ).toEqual(times.map(() => 1))
  expect(await context.bucket.keys()).toHaveLength(times.length)
})

test('creates exports of past windows immediately', async () => {
  const context = await exportContext()
  const { id } = await context.create({ start_time: '2026-01-08T00:00:00Z', end_time: undefined, interval_hours: 24 })
  await eventually(async () => expect(await spawnedBy(context, id)).toHaveLength(1))
  await context.clock.advance(10 * MINUTE)
  expect((await spawnedBy(context, id)).map(({ start_time }) => start_time.slice(0, 10))).toEqual([
    '2026-01-08',
    '2026-01-09',
  ])
})

test('windows include a leap day', async () => {
  const context = await exportContext()
  const { id } = await context.create({ start_time: '2024-02-28T00:00:00Z', end_time: undefined, interval_hours: 24 })
  await eventually(async () => expect((await spawnedBy(context, id)).length).toBeGreaterThan(600))
  expect((await spawnedBy(context, id)).slice(0, 3).map(({ end_time }) => end_time.slice(0, 10))).toEqual([
    '2024-02-29',
    '2024-03-01',
    '2024-03-02',
  ])
})

test.each([
  [2028, ['2-28', '2-29', '3-1']],
  [2027, ['2-28', '3-1']],
])('splits windows and files to the millisecond at the end of February %i', async (year, days) => {
  const context = await exportContext()
  const start = Date.UTC(year, 1, 28, 12, 0, 0, 1)
  const end = Date.UTC(year, 2, 1, 12, 0, 0, 1)
  const windows = Array.from({ length: (end - start) / HOUR }, (_, n) => start + n * HOUR)
  // Every border and midnight, and the millisecond before it.
  const borders = [...windows, end, ...days.map((day) => Date.parse(`${year}-${day} UTC`))]
  const inside = borders.flatMap((border) => [border - 1, border]).filter((ms) => ms >= start && ms < end)
  const outside = [start - 1, end, end + 1]
  await context.mock.seedRuns(recordsAt([...inside, ...outside].map((ms) => new Date(ms).toISOString())))
  const schedule = { start_time: new Date(start).toISOString(), end_time: undefined, interval_hours: 1 }
  const { id } = await context.create(schedule)

  await context.clock.advance(end + 10 * MINUTE - context.clock.now())

  const spawned = await spawnedBy(context, id)
  expect(spawned.map(({ start_time, end_time }) => [Date.parse(start_time), Date.parse(end_time)])).toEqual(
    windows.map((from) => [from, from + HOUR]),
  )
  const exportedTimes: string[] = []
  const dates = new Set<string>()
  for (const { key, rows } of await exportedFiles(context.bucket)) {
    const window = spawned.find(({ id }) => key.includes(id)) ?? { start_time: '', end_time: '' }
    for (const { start_time } of rows) {
      const time = String(start_time)
      exportedTimes.push(time)
      expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(window.start_time))
      expect(Date.parse(time)).toBeLessThan(Date.parse(window.end_time))
      const at = new Date(time)
      expect(key).toContain(`/year=${year}/month=${at.getUTCMonth() + 1}/day=${at.getUTCDate()}/`)
      dates.add(`${at.getUTCMonth() + 1}-${at.getUTCDate()}`)
    }
  }
  expect(exportedTimes.map((time) => Date.parse(time)).sort()).toEqual(inside.toSorted())
  expect([...dates].sort()).toEqual(days)
})

test('a cancelled schedule creates no more exports, keeps earlier ones and cannot be resumed', async () => {
  const context = await exportContext()
  const { id } = await context.create({ start_time: START, end_time: undefined, interval_hours: 1 })
  await context.clock.advance(3 * HOUR)
  const before = await spawnedBy(context, id)
  expect(before.map(({ status }) => status)).toEqual(['Completed', 'Completed'])
  expect((await context.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })).status).toBe('Cancelled')
  await context.clock.advance(24 * HOUR)
  expect(await spawnedBy(context, id)).toEqual(before)
  for (const status of ['IntervalScheduled', 'Running', 'Created', 7]) {
    expect((await context.api.send('PATCH', `/${id}`, { status })).status).toBe(422)
  }
  expect((await context.api.ok('GET', `/${id}`)).status).toBe('Cancelled')
})

test('twenty weekly schedules run for a year', async () => {
  const context = await exportContext()
  for (let count = 0; count < 20; count++)
    await context.create({ start_time: START, end_time: undefined, interval_hours: 168 })
  await context.clock.advance(365 * 24 * HOUR)
  const all: SpawnedExport[] = await context.api.ok('GET', '')
  expect(all).toHaveLength(20 * 53)
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['IntervalScheduled', 'Completed']))
})
