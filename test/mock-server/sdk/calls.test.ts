import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { type OpenApiValidator, openApiValidator, patternOf } from '../../fixtures/openapi-validator.ts'
import { sdkClients } from '../../fixtures/sdk-clients.ts'
import { openContext } from './context.ts'
import { callsOf, javaScriptColumns, methodsOf, nameOf, remoteGraphColumns, sdkCalls, tablesOf } from './table.ts'

const clients = Object.entries(sdkClients)

describe.each<DialectName>(['spec', 'agent-server', 'js-dev'])('the dialect %s', (dialect) => {
  let expected: OpenApiValidator

  beforeAll(async () => {
    expected = await openApiValidator(createMockServer({ dialect }))
  })

  describe.each(clients)('with the SDK %s', (version, clientClass) => {
    test.each(callsOf(version, clientClass).map((call) => [nameOf(call), call] as const))('%s', async (_name, call) => {
      const mock = createMockServer({ dialect })
      const problems: (string | undefined)[] = []
      const context = openContext(clientClass, async (request) => {
        const response = await mock.fetch(request)
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        const { pathname } = new URL(request.url)
        problems.push(await expected.problem(request.method, pathname, isStream ? response : response.clone()))
        return response
      })
      if (call.refused === undefined) await call.try(context)
      else await expect(call.try(context)).rejects.toThrow(call.refused)
      expect(context.requests.filter((request) => patternOf(call.request).test(request))).not.toEqual([])
      expect(problems.filter((problem) => problem !== undefined)).toEqual([])
      await mock.close()
    })
  })
})

test('the tested versions are those of package.json', async () => {
  const { devDependencies } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  const installed = Object.entries<string>(devDependencies).filter(([name]) => name.includes('langgraph-sdk'))
  const versions = installed.map(([, version]) => version.replace(/.*@/, ''))
  expect(versions.toSorted()).toEqual(Object.keys(sdkClients).toSorted())
})

test('the tests cover every method of the clients', () => {
  const methods = new Set(Object.values(sdkClients).flatMap(methodsOf))
  expect(new Set(sdkCalls.map(({ method }) => method))).toEqual(methods)
})

// The test of the Python clients compares the whole tables.
test('the columns for JavaScript in docs/reference/sdk-calls.md equal these calls', async () => {
  const page = await readFile(new URL('../../../docs/reference/sdk-calls.md', import.meta.url), 'utf8')
  const rows = tablesOf(javaScriptColumns(), remoteGraphColumns()).flatMap((table) => table.trimEnd().split('\n'))
  for (const row of rows) expect(page).toContain(row)
})
