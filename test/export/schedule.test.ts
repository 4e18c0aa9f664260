import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SPAWN_DELAY_MS, windowOf, windowsDue } from '../../mock-server/export/windows.ts'

const start = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2101, 0, 1) })
const hours = fc.integer({ min: 1, max: 168 })

test('export n of a schedule covers S+(n-1)H to S+nH and is due ten minutes later', () => {
  const startMs = Date.UTC(2028, 1, 28, 13, 7, 9, 11)
  expect(windowOf(startMs, 24, 1)).toEqual({
    startMs,
    endMs: Date.UTC(2028, 1, 29, 13, 7, 9, 11),
    dueMs: Date.UTC(2028, 1, 29, 13, 17, 9, 11),
  })
  expect(windowOf(startMs, 24, 2).endMs).toBe(Date.UTC(2028, 2, 1, 13, 7, 9, 11))
  expect(windowOf(Date.UTC(2026, 0, 1), 168, 53).startMs).toBe(Date.UTC(2026, 11, 31))
})

test('the windows of a schedule have no gap and no overlap', () => {
  fc.assert(
    fc.property(start, hours, fc.integer({ min: 1, max: 100_000 }), (startMs, every, n) => {
      const [window, next] = [windowOf(startMs, every, n), windowOf(startMs, every, n + 1)]
      expect(next.startMs).toBe(window.endMs)
      expect(window.endMs - window.startMs).toBe(every * 3_600_000)
      expect(window.startMs).toBe(startMs + (n - 1) * every * 3_600_000)
      expect(window.dueMs - window.endMs).toBe(SPAWN_DELAY_MS)
    }),
  )
})

test('a window is due exactly ten minutes after its end', () => {
  fc.assert(
    fc.property(start, hours, fc.integer({ min: 1, max: 100_000 }), (startMs, every, n) => {
      const { dueMs } = windowOf(startMs, every, n)
      expect(windowsDue(startMs, every, dueMs - 1)).toBe(n - 1)
      expect(windowsDue(startMs, every, dueMs)).toBe(n)
    }),
  )
  expect(windowsDue(Date.UTC(2030, 0, 1), 1, Date.UTC(2026, 0, 1))).toBe(0)
})
