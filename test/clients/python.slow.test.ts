import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { type PythonResult, runPython, skipsPython } from '../fixtures/python-clients.ts'
import { type Columns, javaScriptColumns, remoteGraphColumns, tablesOf } from '../mock-server/sdk/table.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']
const pageFile = join(import.meta.dirname, '../../docs/reference/sdk-calls.md')

test.skipIf(skipsPython).each(dialects)(
  'the Python clients do with the dialect %s what docs/reference/sdk-calls.md says; `vitest --update` writes it',
  async (dialect) => {
    const mock = createMockServer({ dialect, faultsByHeader: true, journal: { maxEntries: 10_000 } })
    const server = await listen(mock, { port: 0 })
    onTestFinished(async () => {
      await server.close()
      await mock.close()
    })
    const results = await runPython(server.url, dialect)
    expect(results.filter(({ result }) => !/^(works|refused: .)/.test(result))).toEqual([])
    const clients = columnsOf(results.filter(({ file }) => file === 'test_sdk.py'))
    const remoteGraphs = columnsOf(results.filter(({ file }) => file === 'test_remote_graph.py'))
    const tables = tablesOf({ ...javaScriptColumns(), ...clients }, { ...remoteGraphColumns(), ...remoteGraphs })
    const page = await readFile(pageFile, 'utf8')
    await expect(tables.reduce(replaceTable, page)).toMatchFileSnapshot(pageFile)
    // Of what the specification requires, RemoteGraph names an assistant by its graph, and the SDK sends a mode without a list.
    const { requirements } = await mock.clientReport()
    const failed = requirements.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map(({ id, outcomes }) => [id, outcomes[0]?.failure?.received])).toEqual([
      ['client.request.uuid', 'echo'],
      ['client.run.stream_mode', '"updates"'],
    ])
  },
)

/** The results of each client by method. A method with several tests has the result of the last one. */
function columnsOf(results: readonly PythonResult[]): Columns {
  const called = results.filter(({ client }) => client !== '')
  const columns = [...Map.groupBy(called, ({ client }) => client)]
  return Object.fromEntries(
    columns.map(([client, of]) => [client, Object.fromEntries(of.map(({ method, result }) => [method, result]))]),
  )
}

/** Replaces the table with the same title. */
function replaceTable(page: string, table: string): string {
  const start = page.indexOf(table.slice(0, table.indexOf('|', 1)))
  const end = page.indexOf('\n\n', start) + 1
  return `${page.slice(0, start)}${table}${page.slice(end)}`
}
