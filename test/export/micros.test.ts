import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMicros, parseMicros } from '../../mock-server/export/traces/micros.ts'

const NOON = Date.UTC(2026, 0, 1, 12) * 1000

test.each([
  ['2026-01-01T12:00:00Z', NOON],
  ['2026-01-01T12:00:00.5Z', NOON + 500_000],
  ['2026-01-01T12:00:00.000001Z', NOON + 1],
  ['2026-01-01T12:00:00.000001999Z', NOON + 1],
  ['2026-01-01T12:00:00.000001+00:00', NOON + 1],
  ['2026-01-01T21:00:00.25+09:00', NOON + 250_000],
  ['2026-01-01T07:30-0430', NOON],
  ['2026-01-01T12:00Z', NOON],
  ['1969-12-31T23:59:59.999999Z', -1],
  ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29) * 1000],
])('%s is understood to the microsecond', (text, micros) => {
  expect(parseMicros(text)).toBe(micros)
})

test.each([
  ...['', 'now', 'T', 'Z', '2026-01-01', '2026-01-01T12:00:00', '2026-01-01T12:00Z ', '2026-01-01T12.5Z'],
  ...['2026-13-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T12:00:60Z', '2026-01-01T12:00:00.Z'],
  ...['2026-02-29T00:00:00Z', '2026-04-31T00:00:00.000Z', '2026-02-29T00:00:00+01:00'],
])('%j is no time with zone: NaN', (text) => {
  expect(parseMicros(text)).toBeNaN()
})

test('formatted times parse to the same microsecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1900, 0, 1) * 1000, max: Date.UTC(2200, 0, 1) * 1000 }), (micros) => {
      expect(parseMicros(formatMicros(micros))).toBe(micros)
    }),
  )
})
