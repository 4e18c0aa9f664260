import { expect, test } from 'vitest'
import { runFuzz } from '../long/fuzz.ts'

// The short form of `npm run long -- fuzz`.
test('no invalid input causes a 5xx, a crash, a leak or an undocumented response', async () => {
  const { errors, inputs, outcomes, gained } = await runFuzz(900, 1)
  expect(errors).toBe(0)
  expect(inputs).toBeGreaterThanOrEqual(900)
  expect(outcomes.get(200)).toBeGreaterThan(20)
  expect(outcomes.get(422)).toBeGreaterThan(100)
  expect(gained).toBeLessThan(8 * 2 ** 20)
})
