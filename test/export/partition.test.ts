import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partitionsOf } from '../../mock-server/export/windows.ts'

const instant = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2101, 0, 1) })
const window = fc.tuple(instant, fc.integer({ min: 1, max: 40 * 86_400_000 }))

test('a window within one day is one partition, limited by the window', () => {
  const [startMs, endMs] = [Date.UTC(2026, 2, 5, 1, 2, 3, 4), Date.UTC(2026, 2, 5, 23, 59, 59, 999)]
  expect(partitionsOf(startMs, endMs)).toEqual([{ year: 2026, month: 3, day: 5, startMs, endMs }])
})

test('a window that touches midnight by a millisecond has a partition of that millisecond', () => {
  const midnight = Date.UTC(2027, 0, 1)
  expect(partitionsOf(midnight - 1, midnight + 1)).toEqual([
    { year: 2026, month: 12, day: 31, startMs: midnight - 1, endMs: midnight },
    { year: 2027, month: 1, day: 1, startMs: midnight, endMs: midnight + 1 },
  ])
  expect(partitionsOf(midnight - 1, midnight)).toHaveLength(1)
})

test('29 February is a partition in leap years only', () => {
  const days = (year: number): readonly string[] =>
    partitionsOf(Date.UTC(year, 1, 27), Date.UTC(year, 2, 2)).map(({ month, day }) => `${month}-${day}`)
  expect(days(2028)).toEqual(['2-27', '2-28', '2-29', '3-1'])
  expect(days(2026)).toEqual(['2-27', '2-28', '3-1'])
  expect(days(2100)).toEqual(['2-27', '2-28', '3-1'])
  expect(days(2000)).toEqual(['2-27', '2-28', '2-29', '3-1'])
})

test('an empty or reversed window has no partition', () => {
  const noon = Date.UTC(2026, 0, 1, 12)
  expect(partitionsOf(noon, noon)).toEqual([])
  expect(partitionsOf(noon, noon - 1)).toEqual([])
  expect(partitionsOf(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1))).toEqual([])
})

test('partitions cover the window without gaps or overlaps, each within its date', () => {
  fc.assert(
    fc.property(window, ([startMs, length]) => {
      const partitions = partitionsOf(startMs, startMs + length)
      expect(partitions[0]?.startMs).toBe(startMs)
      expect(partitions.at(-1)?.endMs).toBe(startMs + length)
      for (const [index, { year, month, day, startMs: from, endMs: to }] of partitions.entries()) {
        const midnight = Date.UTC(year, month - 1, day)
        expect(from).toBe(index === 0 ? startMs : midnight)
        expect(from).toBeGreaterThanOrEqual(midnight)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(midnight + 86_400_000)
        if (index > 0) expect(partitions[index - 1]?.endMs).toBe(from)
      }
    }),
  )
})
