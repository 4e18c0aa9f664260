import { expect, test } from 'vitest'
import { measureLeaks } from '../long/mocks.ts'

test('mock servers leave no memory or handles, closed or not', async () => {
  const { bytesPerMock, resources } = await measureLeaks(500)

  expect(resources).toBe(0)
  // A leaked mock server takes five times as much. A smaller limit is not reliable: the heap of a young process varies.
  expect(bytesPerMock).toBeLessThan(20_000)
})
