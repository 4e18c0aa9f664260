import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { type PythonResult, runPython, skipsPython } from '../fixtures/python-clients.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { javaScriptResults, type Results, tableOf } from '../mock-server/sdk/table.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']
const pageFile = join(import.meta.dirname, '../../docs/reference/sdk-calls.md')

test.skipIf(skipsPython).each(dialects)(
  'the Python clients do with the dialect %s what docs/reference/sdk-calls.md says; `vitest --update` writes it',
  async (dialect) => {
    const results = await runPython(await startMockServer({ dialect, faultsByHeader: true }), dialect)
    expect(results.filter(({ result }) => !/^(works|refused: .)/.test(result))).toEqual([])
    const clients = columnsOf(results.filter(({ file }) => file === 'test_sdk.py'))
    const table = tableOf({ ...javaScriptResults(), ...clients })
    const page = (await readFile(pageFile, 'utf8')).replace(/(^\|.*\n)+/m, `${table}\n`)
    await expect(page).toMatchFileSnapshot(pageFile)
  },
)

/** The results of each client by method. A method with several tests has the result of the last one. */
function columnsOf(results: readonly PythonResult[]): Record<string, Results> {
  const called = results.filter(({ client }) => client !== '')
  const columns = [...Map.groupBy(called, ({ client }) => client)]
  return Object.fromEntries(
    columns.map(([client, of]) => [client, Object.fromEntries(of.map(({ method, result }) => [method, result]))]),
  )
}
