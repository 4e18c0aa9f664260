import { type ExecFileOptions, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, copyFile, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readReport } from '../../reporters/model/read.ts'
import { environment, install, installedSize, makeReadOnly, openToAll, pack, removeAll } from '../fixtures/package.ts'

/** An unprivileged user. Without root rights the tests run as their own user. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let folder: string
let project: string
let packageContents: { tarball: string; files: string[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-install-'))
  await openToAll(folder)
  packageContents = await pack(folder)
  project = await install(packageContents.tarball, join(folder, 'project'))
})

afterAll(() => removeAll(folder))

/** Runs a program to its end. */
function run(file: string, args: readonly string[], options: ExecFileOptions) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; stdout: string; stderr: string }>()
  execFile(file, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
    resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
  })
  return promise
}

function npx(...args: string[]) {
  return run('npx', ['--no-install', 'touchstone', ...args], { cwd: project, env: environment })
}

test('the package contains only runtime files and docs', async () => {
  const top = new Set(packageContents.files.map((path) => path.replace(/^((?:dist|fixtures)\/[^/]+|[^/]+).*/, '$1')))

  expect([...top].toSorted()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'bench',
    'cli',
    'dist/cli',
    'dist/fixtures',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/mock-server',
    'dist/pages',
    'dist/reporters',
    'dist/suites',
    'dist/targets',
    'dist/vitest.d.ts',
    'dist/vitest.js',
    'docs',
    'fixtures/test-graphs',
    'mock-server',
    'package.json',
    'reporters',
    'suites',
  ])
  const pages = await readdir(new URL('../../docs', import.meta.url), { recursive: true })
  expect(packageContents.files).toEqual(
    expect.arrayContaining(pages.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)),
  )
  expect(packageContents.files.filter((path) => path.startsWith('reporters/'))).toEqual([
    'reporters/model/report.schema.json',
  ])
  expect(packageContents.files.filter((path) => path.startsWith('cli/'))).toEqual([
    'cli/bin/needs-node.js',
    'cli/bin/node-version.js',
    'cli/bin/small-heap.js',
    'cli/bin/touchstone.js',
  ])
  expect(packageContents.files.filter((path) => path.startsWith('bench/'))).toEqual([
    'bench/README.md',
    'bench/RESULTS.md',
  ])
  expect(packageContents.files).not.toContain('dist/cli/renamed.js')
  const ownFiles = packageContents.files.filter((path) => !path.startsWith('fixtures/'))
  expect(ownFiles.filter((path) => /\.test\.|\.map$|(?<!\.d)\.ts$|write-schema/.test(path))).toEqual([])
  expect(packageContents.files.filter((path) => /node_modules|__pycache__|\.pyc$/.test(path))).toEqual([])
})

test('README states the size of an install within 10 %, and no heavy package is installed', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const stated = /(\d+) packages with (\d+) MB/.exec(readme)?.slice(1).map(Number)

  const { names, bytes } = await installedSize(project)

  const ratios = [names.length, bytes / 1e6].map((measured, index) => (stated?.[index] ?? 0) / measured)
  const remedy = `write into README: ${names.length} packages with ${Math.round(bytes / 1e6)} MB`
  expect(Math.min(...ratios), remedy).toBeGreaterThan(0.9)
  expect(Math.max(...ratios), remedy).toBeLessThan(1.1)
  const heavy = ['testcontainers', '@duckdb/node-api', 'playwright-core', 'typescript', 'node', 'vitest', 'vite']
  expect(names.filter((name) => heavy.includes(name))).toEqual([])
})

test('serve, init, test, report and list work in a project that has the package', async () => {
  const args = ['--no-install', 'touchstone', 'serve', '--port', '0']
  const server = spawn('npx', args, { cwd: project, env: environment, detached: true })
  try {
    const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
    const url = String(line).trim().replace('listening on ', '')

    expect(await npx('init', url)).toMatchObject({
      code: 0,
      stdout: 'wrote touchstone.config.ts\nAll test graphs are deployed.\nnext: npx touchstone test\n',
    })
    expect(await npx('test', '--id', 'thread.*')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Conformant for the selection/m),
    })
  } finally {
    // Signals the whole process group, as a terminal does: npx does not forward signals.
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await once(server, 'close')
  }
  const report = await npx('report', 'reports/report.json', '--format', 'markdown')
  expect(report).toMatchObject({ code: 0, stdout: expect.stringContaining('Conformant') })
  expect((await npx('list')).stdout).toMatch(/\d+ requirements\n$/)
  expect(await readdir(join(project, 'node_modules/touchstone'))).not.toContain('node_modules')
})

test('every integration works in a project that has the package', async () => {
  await writeFile(join(project, 'integrations.js'), integrationsSource)
  for (const name of ['vitest', 'msw']) {
    const without = await run(process.execPath, ['integrations.js'], { cwd: project, env: environment })
    expect(without.stderr).toContain(`Cannot find package '${name}'`)
    const installed = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
    await symlink(installed, join(project, 'node_modules', name))
  }

  const { stdout, stderr } = await run(process.execPath, ['integrations.js'], { cwd: project, env: environment })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ node: true, msw: true, undici: true, vitest: true, playwright: true })
})

test('conformance works with a read-only install and without a home directory', async () => {
  const bin = join(project, 'node_modules/touchstone/cli/bin/touchstone.js')
  const cwd = join(folder, 'user')
  const node = join(folder, 'node')
  await Promise.all([mkdir(cwd), copyFile(process.execPath, node), makeReadOnly(project)])
  if (nobody.uid !== undefined) await chown(cwd, nobody.uid, nobody.gid)
  const env = { NO_COLOR: '1', HOME: '/nonexistent', TMPDIR: cwd }

  const { code, stdout, stderr } = await run(node, [bin, 'conformance', '--area', 'export'], { cwd, env, ...nobody })

  expect(stderr).not.toContain('internal error')
  expect(stdout).toMatch(/^Conformant for the selection/m)
  expect(code).toBe(0)
  const report = readReport(await readFile(join(cwd, 'reports/report.json'), 'utf8'), 'report.json')
  expect(report.verdict.result).toBe('conformant')
  expect((await readdir(cwd)).filter((name) => name.startsWith('touchstone-'))).toEqual([])
})

test.each([
  ['nodenext', { module: 'nodenext' }],
  ['bundler', { module: 'preserve', moduleResolution: 'bundler' }],
])('a TypeScript project gets the types with %s resolution', async (name, resolution) => {
  const consumer = join(folder, `consumer-${name}`)
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  await mkdir(consumer)
  await symlink(join(project, 'node_modules'), join(consumer, 'node_modules'))
  await writeFile(join(consumer, 'package.json'), '{ "type": "module" }')
  const compilerOptions = { ...resolution, strict: true, noEmit: true, target: 'es2024', lib: ['es2024'] }
  const types = { typeRoots: [join(modules, '@types')], types: ['node'] }
  await writeFile(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...types } }),
  )
  await writeFile(join(consumer, 'valid.ts'), consumerSource)
  await writeFile(join(consumer, 'invalid.ts'), invalidSource)

  const { stdout } = await run(process.execPath, [join(modules, 'typescript/bin/tsc')], { cwd: consumer })

  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  expect(errors.map((line) => line.replace(/^(.*?)\(.*/, '$1'))).toEqual(['invalid.ts', 'invalid.ts'])
  expect(stdout).toContain('\'"klingon"\' is not assignable')
})

/** Sends a request through each integration. Without msw and Vitest, the imports of touchstone/msw and touchstone/vitest fail. */
const integrationsSource = `
import { createMockServer } from 'touchstone'
import { listen } from 'touchstone/node'
import { routeTo } from 'touchstone/playwright'
import { dispatcher } from 'touchstone/undici'
import { mockFixtures } from 'touchstone/vitest'

const { handlers } = await import('touchstone/msw')
const mock = createMockServer()
const url = 'http://agent.test'
const isOk = async (response) => (await (await response).json()).ok

const server = await listen(mock, { port: 0 })
const node = await isOk(fetch(server.url + '/ok'))
await server.close()

const undici = await isOk(fetch(url + '/ok', { dispatcher: dispatcher(mock, { url }) }))

const [handler] = handlers(mock, { url })
const { response } = await handler.run({ request: new Request(url + '/ok'), requestId: '1' })
const msw = await isOk(response)

let vitest
await mockFixtures.mock({ mockOptions: {} }, async (server) => {
  vitest = await isOk(server.fetch(new Request(url + '/ok')))
})

const page = { route: async () => {}, unroute: async () => {} }
const routed = await routeTo(page, mock, { url })
const playwright = await isOk(fetch(routed.url + '/ok'))
await routed.close()

console.log(JSON.stringify({ node, msw, undici, vitest, playwright }))
`

const consumerSource = `
import { createMockServer, defineGraph, defineTarget, manualClock, type Manifest, type MockServer } from 'touchstone'
import { type Listening, listen } from 'touchstone/node'
import { type Routable, type Routed, routeTo } from 'touchstone/playwright'
import { dispatcher } from 'touchstone/undici'
import { conformanceTests, type MockFixtures, mockFixtures } from 'touchstone/vitest'
import type { Dispatcher } from 'undici'

const graph = defineGraph({ nodes: { only: (state) => ({ messages: [{ role: 'ai', content: String(state.messages.length) }] }) } })
const mock: MockServer = createMockServer({ graphs: { graph }, clock: manualClock(0) })
export const response: Promise<Response> = mock.fetch(new Request('http://mock/threads', { method: 'POST', body: '{}' }))
const url = 'http://agent.test'
export const server: Promise<Listening> = listen(mock, { port: 0 })
export const agent: Dispatcher = dispatcher(mock, { url })
export const routed = (page: Routable): Promise<Routed> => routeTo(page, mock, { url })
export const fixture: MockFixtures['mock'] = mock
export const fixtures: typeof mockFixtures = mockFixtures
conformanceTests(url, { ids: ['run.*'], strict: true })
export const target: Manifest = defineTarget({ endpoints: { open: { url: 'http://127.0.0.1:2024' } } })
`

const invalidSource = `
import { createMockServer, defineTarget } from 'touchstone'

createMockServer({ dialect: 'klingon' })
defineTarget({ endpoints: { open: { address: 'http://127.0.0.1:2024' } } })
`
