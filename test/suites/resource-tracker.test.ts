import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createResourceTracker } from '../../suites/harness/export/resource-tracker.ts'

test('waits at its end for a bucket that is being created, so that it can be removed', async () => {
  const tracker = createResourceTracker()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isStopped = false

  const created = tracker.bucketCreation('touchstone-1', () => promise)
  const stopped = tracker.stop().then(() => {
    isStopped = true
  })
  await setImmediate()
  expect(isStopped).toBe(false)
  resolve()
  await Promise.all([created, stopped])

  expect(tracker.leftovers()).toEqual([{ kind: 'bucket', name: 'touchstone-1' }])
  await expect(tracker.bucketCreation('touchstone-2', () => promise)).rejects.toThrow('the test run is being stopped')
})
