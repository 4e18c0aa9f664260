import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineGraph } from '../../mock-server/index.ts'
import { readReport } from '../../reporters/model/read.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

test.each([['spec', '--thorough'], ['agent-server'], ['js-dev']])(
  'the mock server is conformant in the dialect %s',
  async (...dialect) => {
    const folder = await temporaryFolder()

    const { code, stdout } = await touchstone(['conformance', '--report', folder, '--dialect', ...dialect])

    expect(stdout).toMatch(/^Conformant: /m)
    expect(code).toBe(0)
    const { requirements } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
    const settled = new Set(['pass', 'observed', 'excluded'])
    expect(requirements.filter(({ verdict }) => !settled.has(verdict)).map(({ id }) => id)).toEqual([])
  },
)

test('tests only the endpoints and requirements of one area', async () => {
  const folder = await temporaryFolder()

  const { code } = await touchstone(['conformance', '--area', 'deployment', '--report', folder])

  const { requirements, target } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  expect(code).toBe(0)
  expect(target.endpoints.map(({ name }) => name)).toEqual(['open', 'custom-auth'])
  expect(new Set(requirements.map(({ area }) => area))).toEqual(new Set(['deployment']))
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
