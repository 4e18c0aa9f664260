import { expect, test } from 'vitest'
import { nextTime, readSchedule } from '../../mock-server/deployment/crons/schedule.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer, type MockServerOptions } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

const start = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

/** A mock server with a clock that stands still, and a client with a thread. */
async function setUp(options: MockServerOptions = {}) {
  const clock = manualClock(start)
  const mock = createMockServer({ clock, ...options })
  return { clock, mock, ...(await sdkThread(mock)) }
}

test.each([
  ['*/5 * * * *', 'UTC', '2026-01-01T00:05:00Z'],
  ['0 9 * * MON-FRI', 'UTC', '2026-01-01T09:00:00Z'],
  ['0 0 * * 0', 'UTC', '2026-01-04T00:00:00Z'],
  ['0 0 * * 7', 'UTC', '2026-01-04T00:00:00Z'],
  ['30 1 13 * FRI', 'UTC', '2026-01-02T01:30:00Z'],
  ['0 0 29 2 *', 'UTC', '2028-02-29T00:00:00Z'],
  ['15,45 8-10/2 * JUL *', 'UTC', '2026-07-01T08:15:00Z'],
  ['* * * * * 30', 'UTC', '2026-01-01T00:00:30Z'],
  ['@monthly', 'UTC', '2026-02-01T00:00:00Z'],
  ['0 9 * * *', 'America/New_York', '2026-01-01T14:00:00Z'],
  ['0 9 1 7 *', 'Europe/Berlin', '2026-07-01T07:00:00Z'],
  ['30 2 29 3 *', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
])('the schedule %s in %s is due first at %s', (text, timezone, expected) => {
  const schedule = readSchedule(text)
  expect(schedule && nextTime(schedule, timezone, start)).toBe(Date.parse(expected))
})

test('a schedule for a day that does not exist is never due', () => {
  const schedule = readSchedule('0 0 31 2 *')
  expect(schedule && nextTime(schedule, 'UTC', start)).toBeUndefined()
})

test('a cron runs on its thread at each time of its schedule', async () => {
  const { client, clock, thread_id, contents } = await setUp()
  await client.crons.createForThread(thread_id, 'echo', { schedule: '0 * * * *', ...say('report') })
  await clock.advance(HOUR - 1)
  expect(await client.runs.list(thread_id)).toEqual([])
  await clock.advance(1)
  expect(await contents()).toEqual(['report', 'first: report', 'second: report'])
  await clock.advance(2 * HOUR)
  expect(await client.runs.list(thread_id)).toHaveLength(3)
  const [cron] = await client.crons.search()
  expect(cron).toMatchObject({ next_run_date: '2026-01-01T04:00:00.000000+00:00' })
})

test('each run of a cron without a thread has a new one, which is kept on request', async () => {
  const { client, clock } = await setUp()
  await client.crons.create('echo', { schedule: '0 * * * *', ...say('A'), onRunCompleted: 'keep' })
  await client.crons.create('echo', { schedule: '0 * * * *', ...say('B') })
  await clock.advance(2 * HOUR)
  const threads = await client.threads.search({ metadata: { graph_id: 'echo' } })
  expect(threads.map(({ values }) => JSON.stringify(values)).every((text) => text.includes('second: A'))).toBe(true)
  expect(threads).toHaveLength(2)
})

test('a cron ends at its end time, when it is disabled, and when it is deleted', async () => {
  const { client, clock, thread_id } = await setUp()
  const runs = async () => (await client.runs.list(thread_id)).length
  const end = { schedule: '0 * * * *', ...say('A'), endTime: '2026-01-01T02:30:00Z' }
  await client.crons.createForThread(thread_id, 'echo', end)
  await clock.advance(5 * HOUR)
  expect(await runs()).toBe(2)
  const [ended] = await client.crons.search()
  expect(ended?.next_run_date).toBeNull()

  await client.crons.createForThread(thread_id, 'echo', { schedule: '0 * * * *', ...say('A') })
  const [cron] = await client.crons.search()
  await client.crons.update(cron?.cron_id ?? '', { enabled: false })
  await clock.advance(HOUR)
  expect(await runs()).toBe(2)
  await client.crons.update(cron?.cron_id ?? '', { enabled: true })
  await clock.advance(HOUR)
  expect(await runs()).toBe(3)
  await client.crons.delete(cron?.cron_id ?? '')
  await clock.advance(HOUR)
  expect(await runs()).toBe(3)
})

test('crons continue after a dump is loaded, once for the time in between', async () => {
  const { client, clock, mock, thread_id } = await setUp()
  await client.crons.createForThread(thread_id, 'echo', { schedule: '0 * * * *', ...say('A') })
  await clock.advance(HOUR)
  const dump = mock.dump()
  await mock.close()

  const later = manualClock(start + 10 * HOUR + 1)
  const other = createMockServer({ clock: later })
  await other.load(dump)
  await later.advance(0)
  const { client: otherClient } = await sdkThread(other)
  expect(await otherClient.runs.list(thread_id)).toHaveLength(2)
  await later.advance(HOUR)
  expect(await otherClient.runs.list(thread_id)).toHaveLength(3)
})

test('a cron runs by a clock that flows', async () => {
  const { client, thread_id } = await sdkThread(createMockServer())
  await client.crons.createForThread(thread_id, 'echo', { schedule: '* * * * * *', ...say('A') })
  await expect.poll(async () => (await client.runs.list(thread_id)).length).toBeGreaterThan(0)
})

test.each<[string, object, RegExp]>([
  ['a text that is no schedule', { schedule: 'nope' }, /expected minute, hour, .*received \\"nope\\"/],
  ['a minute that does not exist', { schedule: '60 * * * *' }, /expected minute, hour/],
  ['an unknown time zone', { schedule: '* * * * *', timezone: 'Nope/Zone' }, /expected a time zone such as/],
  ['an end without a time', { schedule: '* * * * *', end_time: 'tomorrow' }, /ISO 8601/],
  ['an invalid run', { schedule: '* * * * *', stream_mode: 'nope' }, /expected one of values/],
])('refuses %s', async (_name, body, message) => {
  for (const [dialect, status] of [
    ['spec', 422],
    ['agent-server', 422],
    ['js-dev', 400],
  ] as [DialectName, number][]) {
    const { send } = clientOf(createMockServer({ dialect }))
    const response = await send('POST', '/runs/crons', { assistant_id: 'echo', ...body })
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(message)])
  }
})
