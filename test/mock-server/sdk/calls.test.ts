import { readFile } from 'node:fs/promises'
import { Client } from '@langchain/langgraph-sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { type OpenApiValidator, openApiValidator } from '../../fixtures/openapi-validator.ts'
import { openContext } from './context.ts'
import { nameOf, sdkCalls, tableOf } from './table.ts'

describe.each<DialectName>(['spec', 'agent-server', 'js-dev'])(
  'calls of the public SDK in the dialect %s',
  (dialect) => {
    let expected: OpenApiValidator

    beforeAll(async () => {
      expected = await openApiValidator(createMockServer({ dialect }))
    })

    test.each(sdkCalls.map((call) => [nameOf(call), call] as const))('%s', async (_name, call) => {
      const context = openContext(dialect, expected)
      await call.try(context)
      const pattern = new RegExp(`^${call.request.replace(/\{\w+\}/g, '[^/]+')}$`)
      expect(context.requests.filter((request) => pattern.test(request))).not.toEqual([])
      expect(context.problems).toEqual([])
      await context.mock.close()
    })
  },
)

test('the tests cover every method of the client', () => {
  const { assistants, threads, runs, crons, store } = new Client({ apiUrl: 'http://mock.test' })
  const methods = Object.entries({ assistants, threads, runs, crons, store }).flatMap(([name, part]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(part))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  )
  expect([...new Set(sdkCalls.map(({ method }) => method))].toSorted()).toEqual(methods.toSorted())
})

test('the table in docs/reference/sdk-calls.md equals these calls', async () => {
  expect(await readFile(new URL('../../../docs/reference/sdk-calls.md', import.meta.url), 'utf8')).toContain(
    tableOf(sdkCalls),
  )
})
