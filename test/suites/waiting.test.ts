import { expect, test } from 'vitest'
import { openSession } from '../../suites/harness/session.ts'
import { recordWait, waitLimit } from '../../suites/harness/waiting.ts'

const waitMs = 1000

const session = () =>
  openSession({ endpoints: { open: { url: 'http://127.0.0.1:1' } }, budgets: { waitMs } }, 'open', '1')

test('a run is waited for until `waitMs` after the last end of another one, even if it is the only one left', () => {
  const [current, now] = [session(), performance.now()]
  const startedAt = now - 5000

  recordWait(current, 'run', now - 6000, true)

  expect(waitLimit(current, 'run', startedAt)).toBeGreaterThanOrEqual(5000 + waitMs)
})

test('once a wait has timed out, others are short', () => {
  const [current, now] = [session(), performance.now()]
  const before = waitLimit(current, 'run', now)

  recordWait(current, 'run', now, false)

  expect([before, waitLimit(current, 'run', now)]).toEqual([3 * waitMs, waitMs / 20])
})
