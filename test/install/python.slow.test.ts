import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf, checkout } from '../docs/pages.ts'
import { copySources, environment } from '../fixtures/package.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

const python = process.env['DOCS_PYTHON']
const wheels = process.env['PYTHON_WHEELS']
/** The reason to skip; never in CI. */
const missing =
  (python === undefined || wheels === undefined) && process.env['CI'] === undefined
    ? ' (no Python for the pages in DOCS_PYTHON, or no folder with the wheels of python/dev-requirements.txt in PYTHON_WHEELS)'
    : ''

let folder: string
/** The Python of a new environment with pytest and the wheel. */
let venv: string
let installMs: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-python-'))
  if (missing !== '') return
  const sources = await copySources(join(folder, 'sources'))
  await symlink(join(checkout, 'node_modules'), join(sources, 'node_modules'))
  const builder = await createVenv('builder')
  await install(builder, ['hatchling'])
  await pip(builder, ['wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, join(sources, 'python')])
  const [wheel = ''] = (await readdir(folder)).filter((file) => file.endsWith('.whl'))
  venv = await createVenv('venv')
  const startedAt = performance.now()
  await install(venv, ['pytest', join(folder, wheel)])
  installMs = performance.now() - startedAt
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Creates a virtual environment without pip, whose installation takes long; returns its Python. */
async function createVenv(name: string): Promise<string> {
  await run(python ?? '', ['-m', 'venv', '--without-pip', join(folder, name)])
  return join(folder, name, 'bin/python')
}

/** Runs pip for a virtual environment. */
function pip(venv: string, args: readonly string[]): Promise<string> {
  return run(python ?? '', ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--python', venv, ...args])
}

/** Installs packages from the folder of wheels. */
function install(venv: string, packages: readonly string[]): Promise<string> {
  return pip(venv, ['install', '--no-index', '--find-links', wheels ?? '', ...packages])
}

/** Runs a program to its end; returns its output. Fails if its exit code is not 0. */
async function run(program: string, args: readonly string[], cwd = folder, env = environment): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const output = stdout + stderr
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) })
  return output
}

/** Runs pytest without Node on `PATH`; returns its output. */
function pytest(args: readonly string[], cwd: string): Promise<string> {
  return run(venv, ['-m', 'pytest', '-p', 'no:cacheprovider', ...args], cwd, { ...environment, PATH: dirname(venv) })
}

test.skipIf(missing !== '')(`a test of a server passes after the installation${missing}`, async () => {
  const url = await startMockServer()
  const startedAt = performance.now()
  const options = ['--touchstone-url', url, '-m', 'touchstone', '-k', 'run.create']
  const output = await pytest(options, await mkdtemp(join(folder, 'empty-')))
  const seconds = (installMs + performance.now() - startedAt) / 1000
  expect(output).toMatch(/^=+ \d+ passed, \d+ deselected/m)
  process.stderr.write(`${seconds.toFixed(1)} s from pip install to the first verdict\n`)
})

test.skipIf(missing !== '')(`the tests of the Python package pass${missing}`, async () => {
  await install(venv, ['pytest-xdist', 'mypy', 'hatchling'])
  const project = join(checkout, 'python')
  expect(await pytest(['-q'], project)).toMatch(/^\d+ passed/m)
  await run(venv, ['-m', 'mypy', '--cache-dir', join(folder, 'mypy'), 'src', 'tests', 'hatch_build.py'], project)
})

test.skipIf(missing !== '')(`the tests of the page about Python pass${missing}`, async () => {
  await install(venv, ['langgraph-sdk'])
  const project = await mkdtemp(join(folder, 'page-'))
  for (const { meta, text } of await blocksOf('docs/guides/python.md')) {
    if (meta['file'] !== undefined) await writeFile(join(project, meta['file']), `${text}\n`)
  }
  expect(await pytest([], project)).toMatch(/^=+ 4 passed/m)
})
