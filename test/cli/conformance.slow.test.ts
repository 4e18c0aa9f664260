import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineGraph } from '../../mock-server/index.ts'
import { readReport } from '../../reporters/model/read.ts'
import { listening } from '../fixtures/listening.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

test.each(['document', 'agent-server', 'js-dev'])('the mock server conforms in the dialect %s', async (dialect) => {
  const folder = await temporaryFolder()

  const { code, stdout } = await touchstone(['conformance', '--dialect', dialect, '--report', folder])

  expect(stdout).toMatch(/^Conformant: /)
  expect(code).toBe(0)
  const { requirements } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  const settled = new Set(['pass', 'observed', 'excluded'])
  expect(requirements.filter(({ verdict }) => !settled.has(verdict)).map(({ id }) => id)).toEqual([])
})

test('the mock server judged for one area: only its endpoints and its requirements', async () => {
  const folder = await temporaryFolder()

  const { code } = await touchstone(['conformance', '--area', 'deployment', '--report', folder])

  const { requirements, target } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  expect(code).toBe(0)
  expect(target.endpoints.map(({ name }) => name)).toEqual(['open', 'custom-auth'])
  expect(new Set(requirements.map(({ area }) => area))).toEqual(new Set(['deployment']))
})

test('black-box mode on a graph other than a test graph: nothing fails, and what could not run says what would unlock it', async () => {
  const folder = await temporaryFolder()
  const agent = defineGraph({
    nodes: { model: (state) => ({ messages: [{ role: 'ai', content: `You said ${state.messages.length} things.` }] }) },
  })
  const url = await listening({ graphs: { agent } })

  const { code } = await touchstone(['test', '--deployment-url', url, '--graph', 'agent', '--report', folder])

  const { requirements } = readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
  const unmet = requirements.filter(({ verdict }) => ['fail', 'flaky', 'error'].includes(verdict))
  const locked = requirements.filter(({ verdict }) => verdict === 'inconclusive')
  expect(code).toBe(3)
  expect(unmet.map(({ id }) => id)).toEqual([])
  expect(requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100)
  expect(locked.filter(({ outcomes }) => !outcomes.every(({ unlock }) => unlock?.includes('test graphs')))).toEqual([])
})
