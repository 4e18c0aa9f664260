import { expect, onTestFinished, test } from 'vitest'
import { withControlPlane } from '../../../mock-server/control/control-plane.ts'
import { createMockServer } from '../../../mock-server/index.ts'

test('a reader of changes that stops reading is disconnected', async () => {
  const mock = createMockServer({ journal: true })
  onTestFinished(() => mock.close())
  const { handle } = withControlPlane(mock, { token: 'let-me-steer' })
  const reset = Promise.withResolvers<void>()
  const headers = { authorization: 'Bearer let-me-steer' }
  const request = new Request('http://mock/__touchstone/journal/changes', { headers })
  const { body } = await handle(request, { reset: () => reset.resolve(), breakOff: () => undefined })
  const reader = body?.getReader()
  await reader?.read()
  await reset.promise
  await expect(reader?.read()).rejects.toThrow('The reader has stopped reading')
})
