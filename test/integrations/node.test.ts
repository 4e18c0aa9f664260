import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { gatedMock } from '../fixtures/gated-mock.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'

async function open() {
  const gated = gatedMock()
  const server = await listen(gated.mock, { port: 0 })
  onTestFinished(() => server.close())
  return { ...gated, url: server.url }
}

test('the public SDK talks to a mock that listens', async () => {
  const { url } = await open()

  expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
})

test('a stream comes event by event', async () => {
  const { url, ...gated } = await open()

  expect(await watch(url, gated, fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

test('the mock sees a client that leaves', async () => {
  const { url, ...gated } = await open()

  await leave(url, gated)
})
