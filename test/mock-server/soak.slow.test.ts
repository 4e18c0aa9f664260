import { expect, test } from 'vitest'
import { fannedOut } from '../long/fan-out.ts'
import { stalled } from '../long/slow-readers.ts'
import { soaked } from '../long/soak.ts'

// The short forms of `npm run long -- soak fan-out slow-readers`.

test('readers who go away leave nothing behind, and those who stay get every event', async () => {
  const { requests, whole, incomplete, errors, heap } = await soaked(2_000)
  expect({ errors, incomplete }).toEqual({ errors: 0, incomplete: 0 })
  expect(whole).toBe(requests / 10)
  // A thread of each request that stayed would take many times that.
  const half = heap.slice(heap.length / 2)
  expect(Math.max(...half) - Math.min(...half)).toBeLessThan(2 * 2 ** 20)
})

test('a thousand readers of one run get every event of it, in order', async () => {
  const { readers, complete } = await fannedOut(1_000, 50)
  expect(complete).toBe(readers)
})

test('readers who never read are cut, and can see why', async () => {
  expect(await stalled(5, 200)).toMatchObject({ told: 5 })
})
