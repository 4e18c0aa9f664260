import { test as base, describe, expect } from 'vitest'
import { type MockFixtures, mockFixtures } from '../../mock-server/adapters/vitest.ts'
import type { MockServer } from '../../mock-server/index.ts'
import { gatedGraphs } from '../fixtures/gated-graphs.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'
import { clientOf } from '../fixtures/mock-client.ts'

const test = base.extend<MockFixtures>(mockFixtures)
const servers: MockServer[] = []
const urls: string[] = []

for (const time of ['first', 'second']) {
  test(`every test has its own mock server: ${time} test`, async ({ mock }) => {
    expect(servers).not.toContain(mock)
    servers.push(mock)

    await clientOf(mock).thread()
    expect(await clientOf(mock).get('/threads')).toHaveLength(1)
  })
}

test('serves the public SDK at mockUrl', async ({ mock, mockUrl }) => {
  urls.push(mockUrl)

  expect(await talk(mockUrl)).toEqual(['hello', 'first: hello', 'second: hello'])
  expect(await clientOf(mock).get('/threads')).toHaveLength(1)
})

test('closes the port after the test', async () => {
  expect(urls).toHaveLength(1)
  await expect(fetch(`${urls[0]}/ok`)).rejects.toThrow()
})

describe('with options', () => {
  test.override({ mockOptions: { dialect: 'js-dev' } })

  test('creates the mock server with mockOptions', async ({ mock }) => {
    expect(await clientOf(mock).get('/info')).toMatchObject({ dialect: 'js-dev' })
  })
})

const gatedTest = test
  .extend('gated', () => gatedGraphs())
  .extend('mockOptions', ({ gated: { graphs } }) => ({ graphs }))

gatedTest('delivers a stream event by event', async ({ mockUrl, gated }) => {
  expect(await watch(mockUrl, gated, fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

gatedTest('stops a run when the client disconnects', async ({ mockUrl, gated }) => {
  await leave(mockUrl, gated)
})
