import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportTarget } from '../fixtures/export-target.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

/** Creates a package with files. */
async function project(type: string | undefined, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'client', type }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const configuration = (url: string) =>
  `import { defineTarget } from 'touchstone'\nimport { budgets } from './budgets.ts'\n\nexport default defineTarget({ endpoints: { open: { url: '${url}' as string } }, budgets })\n`
const helper = 'export const budgets: { readyMs: number } = { readyMs: 5000 }\n'

test.each([
  ['commonjs', 'ts'],
  [undefined, 'ts'],
  ['module', 'ts'],
  ['commonjs', 'mts'],
])('in a package of type %s, loads a touchstone.config.%s', async (type, ending) => {
  const name = `touchstone.config.${ending}`
  const cwd = await project(type, { [name]: configuration(await startMockServer()), 'budgets.ts': helper })

  const { code, stderr } = await touchstone(['test', '--id', 'thread.create.fresh-id'], { cwd })

  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/warning|module/i) })
})

test('loads a CommonJS configuration', async () => {
  const text = `module.exports = { endpoints: { open: { url: '${await startMockServer()}' } } }\n`
  const cwd = await project('commonjs', { 'touchstone.config.js': text })

  const { code } = await touchstone(['test', '--id', 'thread.create.fresh-id'], { cwd })

  expect(code).toBe(0)
})

test('loads a driver in a package of type commonjs', async () => {
  const driver =
    "import type { TraceRecord } from 'touchstone'\nexport async function seedRuns(_: readonly TraceRecord[]) {}\n"
  const cwd = await project('commonjs', { 'driver.ts': driver })
  const { endpoint, config } = await exportTarget()
  const declared = { ...endpoint, export: { session: endpoint.export?.session ?? '', driver: './driver.ts' } }

  const args = [
    'test',
    '--config',
    await config({}, declared),
    '--id',
    'export.create.accepted',
    '--id',
    'export.schedule.delay',
  ]
  const { stdout } = await touchstone(args, { cwd })

  expect(stdout).toContain('set endpoints.export.export.driver to a driver with seedRuns and advanceClock')
  expect(stdout).not.toContain('fault of the suite')
})

test.each([
  ['that does not exist', undefined, /driver\.ts does not exist\. Set it to the path of a module/],
  ['that throws', "throw new Error('no settings')", /cannot load .*driver\.ts: no settings\./],
  ['that exits the process', 'process.exit(0)', /cannot load .*driver\.ts: the module ended the process/],
  ['without functions', 'export const seedRuns = 1', /to export at least one of seedRuns, adv.*, received no function/],
  [
    'with a mistyped function',
    'export function seedruns() {}\nexport function now() {}',
    /received now, seedruns\. Did you mean seedRuns\?/,
  ],
])('rejects a driver %s with one line before testing', async (_, text, message) => {
  const cwd = await project('module', text === undefined ? {} : { 'driver.ts': `${text}\n` })
  const { endpoint, config } = await exportTarget()
  const declared = { ...endpoint, export: { session: endpoint.export?.session ?? '', driver: './driver.ts' } }

  const { code, stdout, stderr } = await touchstone(['test', '--config', await config({}, declared)], { cwd })

  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  expect(stderr).toMatch(/^error: .*\nAdd --help for an explanation\.\n$/)
})
