import { expect, test } from 'vitest'
import { parseTimestamp } from '../../suites/catalog/timestamp.ts'
import { isSameTime } from '../../suites/values/timestamps.ts'

const noon = Date.UTC(2026, 0, 31, 12)

test.each([
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00',
  '2026-01-31 12:00:00 UTC',
  '2026-01-31T13:00:00.000+01:00',
  '2026-01-31T13:00:00,000000000+01',
  '2026-01-31T06:30:00-0530',
])('reads %s', (text) => {
  expect(parseTimestamp(text)).toBe(noon)
})

test('reads any number of digits after the seconds', () => {
  expect(parseTimestamp('2026-01-31T12:00:00,060664000000Z')).toBe(noon + 60)
  expect(parseTimestamp('2026-01-31T12:00:00.284085000000Z')).toBe(noon + 284)
})

test.each(['', '2026-01-31', '20260131T120000Z', '2026-13-31T12:00:00Z', 'yesterday at noon Z'])(
  'returns NaN for "%s"',
  (text) => {
    expect(parseTimestamp(text)).toBeNaN()
  },
)

test.each([
  ['2026-01-31T12:00:00.57Z', '2026-01-31T12:00:00.571Z', true],
  ['2026-01-31T12:00:00.570Z', '2026-01-31T12:00:00.571Z', true],
  ['2026-01-31T12:00:00.570Z', '2026-01-31T12:00:00.576Z', false],
  ['2026-01-31T12:00:00.57Z', '2026-01-31T12:00:00.586Z', false],
  ['2026-01-31T12:00:59Z', '2026-01-31T12:00:59.9Z', true],
  ['2026-01-31T12:00:59.000000Z', '2026-01-31T12:00:59.9Z', true],
  ['2026-01-31T12:00Z', '2026-01-31T13:00:59.9+01:00', true],
  ['2026-01-31T12:00:00.57Z', 'noon', false],
])('compares %s and %s as exactly as the less exact one', (first, later, isSame) => {
  expect(isSameTime(first, later)).toBe(isSame)
})
