import { readFile } from 'node:fs/promises'
import { Client } from '@langchain/langgraph-sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { type Expectations, expectations } from '../../fixtures/described.ts'
import { openScene } from './scene.ts'
import { nameOf, sdkCalls, tableOf } from './table.ts'

describe.each<DialectName>(['document', 'agent-server', 'js-dev'])("the public SDK's calls, dialect %s", (dialect) => {
  let expected: Expectations

  beforeAll(async () => {
    expected = await expectations(createMockServer({ dialect }))
  })

  test.each(sdkCalls.map((call) => [nameOf(call), call] as const))('%s', async (_name, call) => {
    const scene = openScene(dialect, expected)
    await call.try(scene)
    const shape = new RegExp(`^${call.request.replace(/\{\w+\}/g, '[^/]+')}$`)
    expect(scene.sent.filter((request) => shape.test(request))).not.toEqual([])
    expect(scene.undescribed).toEqual([])
    await scene.mock.close()
  })
})

test('every method of the client is tried', () => {
  const { assistants, threads, runs, crons, store } = new Client({ apiUrl: 'http://mock.test' })
  const methods = Object.entries({ assistants, threads, runs, crons, store }).flatMap(([name, part]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(part))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  )
  expect([...new Set(sdkCalls.map(({ method }) => method))].toSorted()).toEqual(methods.toSorted())
})

test('the page about the calls has the table of these tests', async () => {
  expect(await readFile(new URL('../../../docs/reference/sdk-calls.md', import.meta.url), 'utf8')).toContain(
    tableOf(sdkCalls),
  )
})
