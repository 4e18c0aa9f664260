import { test as base, describe, expect } from 'vitest'
import { type MockFixtures, mockFixtures } from '../../mock-server/adapters/vitest.ts'
import type { MockServer } from '../../mock-server/index.ts'
import { gatedGraphs } from '../fixtures/gated-graphs.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'
import { clientOf } from '../fixtures/mock-client.ts'

const test = base.extend<MockFixtures>(mockFixtures)
const seen: MockServer[] = []
const urls: string[] = []

for (const time of ['once', 'twice']) {
  test(`every test has a mock of its own, ${time}`, async ({ mock }) => {
    expect(seen).not.toContain(mock)
    seen.push(mock)

    await clientOf(mock).thread()
    expect(await clientOf(mock).get('/threads')).toHaveLength(1)
  })
}

test('the public SDK talks to it by URL', async ({ mock, mockUrl }) => {
  urls.push(mockUrl)

  expect(await talk(mockUrl)).toEqual(['hello', 'first: hello', 'second: hello'])
  expect(await clientOf(mock).get('/threads')).toHaveLength(1)
})

test('nothing listens any more after the test', async () => {
  expect(urls).toHaveLength(1)
  await expect(fetch(`${urls[0]}/ok`)).rejects.toThrow()
})

describe('with options', () => {
  test.override({ mockOptions: { dialect: 'js-dev' } })

  test('the mock is set up by them', async ({ mock }) => {
    expect(await clientOf(mock).get('/info')).toMatchObject({ dialect: 'js-dev' })
  })
})

const gatedTest = test
  .extend('gated', () => gatedGraphs())
  .extend('mockOptions', ({ gated: { graphs } }) => ({ graphs }))

gatedTest('a stream comes event by event', async ({ mockUrl, gated }) => {
  expect(await watch(mockUrl, gated, fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

gatedTest('the mock sees a client that leaves', async ({ mockUrl, gated }) => {
  await leave(mockUrl, gated)
})
