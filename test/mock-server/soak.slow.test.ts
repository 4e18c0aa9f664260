import { expect, test } from 'vitest'
import { runFanOut, runSubscribers } from '../long/fan-out.ts'
import { runSlowReaders } from '../long/slow-readers.ts'
import { runSoak } from '../long/soak.ts'

// The short forms of `npm run long -- soak fan-out slow-readers`.

test('disconnected readers leak no memory, and other readers receive every event', async () => {
  const { requests, whole, incomplete, errors, heap } = await runSoak(2_000)
  expect({ errors, incomplete }).toEqual({ errors: 0, incomplete: 0 })
  expect(whole).toBe(requests / 10)
  // One leaked thread per request would take many times as much.
  const half = heap.slice(heap.length / 2)
  expect(Math.max(...half) - Math.min(...half)).toBeLessThan(2 * 2 ** 20)
})

test('a thousand readers of one run receive every event in order', async () => {
  const { readers, complete } = await runFanOut(1_000, 50)
  expect(complete).toBe(readers)
})

test('200 subscribers of one thread receive every event of its runs in order', async () => {
  expect(await runSubscribers(200, 50, 3)).toMatchObject({ complete: 200 })
})

test('readers that never read are disconnected with an error event', async () => {
  expect(await runSlowReaders(5, 200)).toMatchObject({ notified: 5 })
})
