import { expect, test } from 'vitest'
import { parseTimestamp } from '../../suites/catalog/timestamp.ts'

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
