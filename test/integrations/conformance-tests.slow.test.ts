import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { activeSchedules, exportTarget } from '../fixtures/export-target.ts'
import { serveMutant } from '../fixtures/mutants.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { startNode, temporaryFolder } from '../fixtures/touchstone.ts'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** A test file of a project that develops a server. */
const testFile = (target: object, options: object) => `
import { conformanceTests } from '${path('vitest.ts')}'

conformanceTests(${JSON.stringify({ name: 'my server', ...target })}, ${JSON.stringify(options)})
`

interface Assertion {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

interface FileResult {
  readonly name: string
  readonly assertionResults: readonly Assertion[]
}

/** Runs test files in a new process: each has a target and options. Returns the exit code, the output, and the results of each file. */
async function vitest<Name extends string>(
  files: Readonly<Record<Name, readonly [target: object, options?: object]>>,
  ...args: readonly string[]
) {
  const folder = await temporaryFolder()
  for (const [name, [target, options = {}]] of Object.entries<readonly [object, object?]>(files))
    await writeFile(join(folder, `${name}.test.ts`), testFile(target, options))
  const report = join(folder, 'report.json')
  const runner = [path('node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const reporter = ['--reporter', 'default', '--reporter', 'json', '--outputFile', report]
  const { code, stdout, stderr } = await startNode([...runner, ...reporter, ...args], {
    env: { VITEST: '', NO_COLOR: '1' },
  }).ended
  const json = await readFile(report, 'utf8').catch(() => expect.unreachable(stderr))
  const { testResults }: { testResults: FileResult[] } = JSON.parse(json)
  const resultsOf = (name: Name) => {
    const { assertionResults = [] } = testResults.find((file) => file.name.endsWith(`/${name}.test.ts`)) ?? {}
    return {
      tests: new Map(assertionResults.map((each) => [each.title.split(':')[0] ?? '', each])),
      ran: assertionResults.filter(({ status }) => ['passed', 'failed'].includes(status)),
    }
  }
  return { code, output: stdout + stderr, resultsOf }
}

const open = (url: string) => ({ endpoints: { open: { url } } })

test('registers a test per requirement, and sends only the requests that the filter selects', async () => {
  const requests: string[] = []
  const url = await startMockServer({}, (fetch) => (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname.replace(/[\da-f-]{36}/g, 'ID')}`)
    return fetch(request)
  })
  const mutant = await serveMutant('thread.create.empty-object-refused')

  const { code, resultsOf } = await vitest({ all: [open(url)], blocked: [open(mutant)] }, '-t', 'run.join.waits')

  const { tests, ran } = resultsOf('all')
  expect(ran.map(({ status, title }) => `${status} ${title}`)).toEqual([
    'passed run.join.waits-from-creation: A join that starts right after run creation waits until the run has finished.',
    'passed run.join.waits: A join that starts while the run executes waits until the run has finished.',
  ])
  expect(tests.get('run.join.waits')?.ancestorTitles).toEqual([
    'my server',
    'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join',
  ])
  expect(tests.size).toBeGreaterThan(500)
  expect([...tests.keys()].filter((id) => /^export\.|^thread\.create\.status-code$/.test(id))).toEqual([])
  expect(new Set(requests)).toContain('GET /threads/ID/runs/ID/join')
  expect(requests.filter((request) => request.endsWith('/runs/stream'))).toEqual([])
  // A requirement without a test blocks those of the other file.
  const [message] = resultsOf('blocked').tests.get('run.join.waits')?.failureMessages ?? []
  expect(message).toMatch(/^ConformanceError: blocked by thread\.create\.accepts-empty-object: .* received 422/)
  expect(code).toBe(1)
})

test('fails with the deciding exchange, skips what is inconclusive unless strict, and rejects unusable targets', async () => {
  const mutant = await serveMutant('thread.create.empty-object-refused')
  const tools = { ...open(await startMockServer()), graphs: { tools: false } }
  const target = await exportTarget()
  const ids = ['stream.updates.tool.name.type']

  const { code, output, resultsOf } = await vitest({
    failing: [open(mutant), { ids: ['thread.create.*', 'assistant.search.limit'] }],
    lenient: [tools, { ids }],
    strict: [tools, { ids, strict: true }],
    exports: [
      { endpoints: { export: target.endpoint } },
      { ids: ['export.create.accepted', 'export.schedule.spawns', 'thread.create.*'] },
    ],
    invalid: [{ ...open('http://127.0.0.1:9'), graph: 7 }],
    silent: [{ ...open('http://127.0.0.1:9'), budgets: { readyMs: 50 } }],
  })

  expect(code).toBe(1)
  const { tests, ran } = resultsOf('failing')
  expect(tests.get('assistant.search.limit')?.status).toBe('passed')
  expect(ran.length).toBeGreaterThan(1)
  const failed = tests.get('thread.create.accepts-empty-object')
  expect(failed?.status).toBe('failed')
  const [message = ''] = failed?.failureMessages ?? []
  expect(message).toMatch(/^ConformanceError: .+\n\n/)
  expect(message).toContain('→ 422 after')
  expect(message).toContain(`curl -sS -i -X POST '${mutant}/threads'`)

  expect(resultsOf('lenient')).toMatchObject({ tests: { size: 1 }, ran: [] })
  const [inconclusive] = resultsOf('strict').ran
  expect(inconclusive?.failureMessages.join()).toContain('deploy the test graphs and set graphs.tools')

  const { tests: all, ran: exported } = resultsOf('exports')
  expect(exported.map(({ status }) => status)).toEqual(['passed', 'passed'])
  expect(all.size).toBe(2)
  const exports = await target.exports()
  expect(exports.length).toBeGreaterThan(0)
  expect(activeSchedules(exports)).toEqual([])

  expect(output).toContain('is not a valid configuration')
  expect(output).toContain('http://127.0.0.1:9) to be ready')
})
