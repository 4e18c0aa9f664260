import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { activeSchedules, exportTarget } from '../fixtures/export-target.ts'
import { startMutant } from '../fixtures/mutant-process.ts'

import { startMockServer } from '../fixtures/start-mock-server.ts'
import { startNode, temporaryFolder } from '../fixtures/touchstone.ts'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** A test file of a project that develops a server. */
const testFile = `
import { conformanceTests } from '${path('vitest.ts')}'

conformanceTests({
  name: 'my server',
  endpoints: { open: { url: process.env['SERVER_URL'] } },
  ...JSON.parse(process.env['TARGET'] ?? '{}'),
}, JSON.parse(process.env['OPTIONS'] ?? '{}'))
`

interface Assertion {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs the test file in a new process. Returns its exit code, and the tests that ran. */
async function vitest(
  url: string,
  { args = [], ...env }: { args?: readonly string[]; OPTIONS?: string; TARGET?: string },
) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'server.test.ts'), testFile)
  const report = join(folder, 'report.json')
  const runner = [path('node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const reporter = ['--reporter', 'default', '--reporter', 'json', '--outputFile', report]
  const { code, stdout, stderr } = await startNode([...runner, ...reporter, ...args], {
    env: { SERVER_URL: url, VITEST: '', NO_COLOR: '1', ...env },
  }).ended
  const json = await readFile(report, 'utf8').catch(() => expect.unreachable(stderr))
  const { testResults }: { testResults: { assertionResults: Assertion[] }[] } = JSON.parse(json)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    code,
    output: stdout + stderr,
    tests: new Map(tests.map((each) => [each.title.split(':')[0] ?? '', each])),
    ran: tests.filter(({ status }) => status === 'passed' || status === 'failed').map(({ title }) => title),
  }
}

test('registers a test per requirement, and sends only the requests that the filter selects', async () => {
  const requests: string[] = []
  const url = await startMockServer({}, (fetch) => (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname.replace(/[\da-f-]{36}/g, 'ID')}`)
    return fetch(request)
  })

  const { code, tests, ran } = await vitest(url, { args: ['-t', 'run.join.waits'] })

  expect(code).toBe(0)
  expect(ran).toEqual([
    'run.join.waits-from-creation: A join that starts right after run creation waits until the run has finished.',
    'run.join.waits: A join that starts while the run executes waits until the run has finished.',
  ])
  expect(tests.get('run.join.waits')?.ancestorTitles).toEqual([
    'my server',
    'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join',
  ])
  expect(tests.size).toBeGreaterThan(500)
  expect([...tests.keys()].filter((id) => /^export\.|^thread\.create\.status-code$/.test(id))).toEqual([])
  expect(new Set(requests)).toContain('GET /threads/ID/runs/ID/join')
  expect(requests.filter((request) => request.endsWith('/runs/stream'))).toEqual([])
})

test('fails with expected and received values and the deciding exchange', async () => {
  const url = await startMutant('thread.create.empty-object-refused')

  const { code, tests, ran } = await vitest(url, {
    OPTIONS: '{ "ids": ["thread.create.*", "assistant.search.limit"] }',
  })

  expect(code).toBe(1)
  expect(tests.get('assistant.search.limit')?.status).toBe('passed')
  expect(ran.length).toBeGreaterThan(1)
  const failed = tests.get('thread.create.accepts-empty-object')
  expect(failed?.status).toBe('failed')
  const [message = ''] = failed?.failureMessages ?? []
  expect(message).toMatch(/^ConformanceError: .+\n\n/)
  expect(message).toContain('→ 422 after')
  expect(message).toContain(`curl -sS -i -X POST '${url}/threads'`)
})

test('fails if a requirement without a test blocks the tests', async () => {
  const url = await startMutant('thread.create.empty-object-refused')

  const { code, tests } = await vitest(url, { args: ['-t', 'run.join.waits:'] })

  expect(code).toBe(1)
  const [message] = tests.get('run.join.waits')?.failureMessages ?? []
  expect(message).toMatch(/^ConformanceError: blocked by thread\.create\.accepts-empty-object: .* received 422/)
})

test('skips what is inconclusive, or fails with strict', async () => {
  const url = await startMockServer()
  const settings = { TARGET: '{ "graphs": { "tools": false } }', args: ['-t', 'stream.updates.tool.name.type'] }

  const lenient = await vitest(url, settings)
  const strict = await vitest(url, { ...settings, OPTIONS: '{ "strict": true }' })

  expect(lenient.code).toBe(0)
  expect(strict.code).toBe(1)
  const messages = [...strict.tests.values()].flatMap(({ failureMessages }) => failureMessages)
  expect(messages.join()).toContain('deploy the test graphs and set graphs.tools')
})

test('tests a bulk export API, and leaves no scheduled export on it', async () => {
  const target = await exportTarget()
  const endpoints = { export: target.endpoint }

  const { code, tests, ran } = await vitest('', {
    TARGET: JSON.stringify({ endpoints }),
    OPTIONS: '{ "ids": ["export.create.accepted", "export.schedule.spawns", "thread.create.*"] }',
  })

  expect(code).toBe(0)
  expect(ran.length).toBe(2)
  expect(tests.size).toBe(2)
  const exports = await target.exports()
  expect(exports.length).toBeGreaterThan(0)
  expect(activeSchedules(exports)).toEqual([])
})

test('fails as a whole if the configuration is invalid or the server does not respond', async () => {
  const invalid = await vitest('http://127.0.0.1:9', { TARGET: '{ "graph": 7 }' })
  const silent = await vitest('http://127.0.0.1:9', { TARGET: '{ "budgets": { "readyMs": 50 } }' })

  expect(invalid).toMatchObject({ code: 1, output: expect.stringContaining('is not a valid configuration') })
  expect(silent).toMatchObject({ code: 1, output: expect.stringContaining('http://127.0.0.1:9) to be ready') })
})
