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

test('serves the public SDK on a port', async () => {
  const { url } = await open()

  expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
})

test('delivers a stream event by event', async () => {
  const { url, ...gated } = await open()

  expect(await watch(url, gated, fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

test('stops a run when the client disconnects', async () => {
  const { url, ...gated } = await open()

  await leave(url, gated)
})
