import { expect, test } from 'vitest'
import { mocksLeave } from '../long/mocks.ts'

test('mocks leave nothing behind, closed or forgotten', async () => {
  const { bytesPerMock, resources } = await mocksLeave(500)

  expect(resources).toBe(0)
  // One that is kept by anything takes five times as much; the heap of a young process still settles.
  expect(bytesPerMock).toBeLessThan(20_000)
})
