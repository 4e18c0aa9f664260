import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineGraph } from '../../mock-server/index.ts'
import { readReport } from '../../reporters/model/read.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

const deployment = ['open', 'custom-auth']

// The bulk export API is the same in every dialect.
test.each([
  ['spec', ['--thorough'], [...deployment, 'export', 'self-hosted', 'self-hosted-old']],
  ['agent-server', ['--area', 'deployment'], deployment],
  ['js-dev', ['--area', 'deployment'], deployment],
])('the mock server is conformant in the dialect %s with %j', async (dialect, options, endpoints) => {
  const folder = await temporaryFolder()

  const { code, stdout } = await touchstone(['conformance', '--report', folder, '--dialect', dialect, ...options])

  expect(stdout).toMatch(/^Conformant/m)
  expect(code).toBe(0)
  const { requirements, target } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  const settled = new Set(['pass', 'observed', 'excluded'])
  expect(requirements.filter(({ verdict }) => !settled.has(verdict)).map(({ id }) => id)).toEqual([])
  expect(new Set(requirements.map(({ area }) => area)).size).toBe(endpoints === deployment ? 1 : 2)
  expect(target.endpoints.map(({ name }) => name)).toEqual(endpoints)
})

test('tests a graph that is not a test graph without failures, and shows what inconclusive requirements need', async () => {
  const folder = await temporaryFolder()
  const agent = defineGraph({
    nodes: { model: (state) => ({ messages: [{ role: 'ai', content: `You said ${state.messages.length} things.` }] }) },
  })
  const url = await startMockServer({ graphs: { agent } })

  const { code } = await touchstone(['test', '--deployment-url', url, '--graph', 'agent', '--report', folder])

  const { requirements } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  const failed = requirements.filter(({ verdict }) => ['fail', 'flaky', 'error'].includes(verdict))
  const inconclusive = requirements.filter(({ verdict }) => verdict === 'inconclusive')
  expect(code).toBe(3)
  expect(failed.map(({ id }) => id)).toEqual([])
  expect(requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100)
  expect(
    inconclusive.filter(({ outcomes }) => !outcomes.every(({ unlock }) => unlock?.includes('test graphs'))),
  ).toEqual([])
})
