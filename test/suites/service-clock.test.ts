import { expect, test } from 'vitest'
import { createTraceLog } from '../../suites/model/exchange.ts'
import { exportModel } from '../../suites/model/export.ts'
import { serviceClock } from '../../suites/model/service-clock.ts'

interface ClockEntry {
  readonly startedAt: number
  readonly at: number
  readonly advancedMs?: number
  readonly now?: number
}

/** Returns the clock of a service that a trace shows. */
function clockIn(entries: readonly ClockEntry[]) {
  const log = createTraceLog()
  log.add({ type: 'endpoint', name: 'export', url: 'http://127.0.0.1:1', profile: 'hosted', headers: {}, graphs: {} })
  log.add({ type: 'scenario', id: 1, endpoint: 'export', title: 'x', round: 1, exercises: [], at: 0 })
  for (const entry of entries) log.add({ type: 'clock', scenario: 1, ...entry })
  const recorded = log.rounds.get(1)?.get('export')
  if (recorded === undefined) throw new Error('expected an endpoint')
  return serviceClock(exportModel(recorded))
}

const read = (startedAt: number, at: number, now: number) => ({ startedAt, at, now })
const move = (startedAt: number, at: number, advancedMs: number) => ({ startedAt, at, advancedMs })

test('between two reads, the clock is between what they show', () => {
  const clock = clockIn([read(0, 1, 1000), read(20, 21, 1090)])

  expect([clock?.earliest(10), clock?.latest(10)]).toEqual([1000, 1090])
})

test('moves before and after a moment bound its time', () => {
  const clock = clockIn([read(0, 1, 1000), move(5, 6, 500), move(15, 16, 7000), read(20, 21, 8600.5)])

  expect([clock?.earliest(10), clock?.latest(10)]).toEqual([1500, 1600.5])
})

test('a move in progress makes a time neither earlier nor later', () => {
  const clock = clockIn([read(0, 1, 1000), move(5, 15, 500), read(20, 21, 1600)])

  expect([clock?.earliest(10), clock?.latest(10)]).toEqual([1000, 1600])
})

test('a move by another client makes no time too early', () => {
  const clock = clockIn([read(0, 1, 1000), read(20, 21, 90_000)])

  expect(clock?.latest(10)).toBe(90_000)
})

test('a read that overlaps a move does not hide it', () => {
  const clock = clockIn([read(0, 1, 1000), move(5, 6, 500), read(4, 7, 1003)])

  expect(clock?.earliest(10)).toBe(1500)
})

test('without a later read, the latest time is unknown', () => {
  expect(clockIn([read(0, 1, 1000)])?.latest(10)).toBe(Number.POSITIVE_INFINITY)
})

test('a clock that is moved and never read is unknown', () => {
  expect(clockIn([move(0, 1, 1000)])).toBeUndefined()
})
