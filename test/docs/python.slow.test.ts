import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startFauxqs } from 'fauxqs'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { withControlPlane } from '../../mock-server/control/control-plane.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { exportClient } from '../fixtures/export-client.ts'
import { bin, start, temporaryFolder } from '../fixtures/touchstone.ts'
import { blocksOf, checkout } from './pages.ts'
import { writeCommands } from './reader.ts'

const python = process.env['DOCS_PYTHON']
/** The reason to skip; never in CI. */
const missing =
  python === undefined && process.env['CI'] === undefined
    ? ' (no Python for the pages: install test/docs/python-requirements.txt, and name its python in DOCS_PYTHON)'
    : ''

/** Runs Python in a folder whose `bin` has the command `npx`; returns its exit code and what it printed. */
async function runPython(folder: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
  const env = { ...process.env, ...variables, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(python ?? '', args, { cwd: folder, env })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: stdout + stderr }
}

/** Creates a folder with the files of the page about Python clients. */
async function clientFolder(): Promise<string> {
  const folder = await temporaryFolder()
  for (const { meta, text } of await blocksOf('docs/guides/test-a-python-client.md')) {
    if (meta['file'] !== undefined) await writeFile(join(folder, meta['file']), text)
  }
  return folder
}

const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']

test.skipIf(missing !== '')(`the tests of a Python client pass${missing}`, async () => {
  const folder = await clientFolder()
  await writeCommands(join(folder, 'bin'), bin)
  const { code, output } = await runPython(folder, pytest)
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 passed') })
})

test.skipIf(missing !== '')(`tests in sessions of one server pass in parallel${missing}`, async () => {
  const folder = await clientFolder()
  await cp(join(checkout, 'test/clients/python-scripts'), folder, { recursive: true })
  const env = { CONTROL: 'only-for-tests' }
  const server = start(['serve', '--port', '0', '--control-token', 'env:CONTROL', '--journal'], { env })
  onTestFinished(() => void server.process.kill())
  const TOUCHSTONE_URL = (await server.firstLine).trim().replace('listening on ', '')
  const { code, output } = await runPython(folder, [...pytest, '-n', '4'], { TOUCHSTONE_URL })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('16 passed') })
})

test.skipIf(missing !== '')(`the example of scripts over HTTP passes${missing}`, async () => {
  const mock = createMockServer()
  const server = await listen(withControlPlane(mock, { token: 'only-for-tests' }), { port: 0 })
  onTestFinished(() => server.close())
  const blocks = (await blocksOf('docs/guides/script-graphs.md')).filter(({ language }) => language === 'python')
  expect(blocks).toHaveLength(1)
  for (const { text } of blocks) {
    const example = text.replace('http://127.0.0.1:2024', server.url)
    const { code, output } = await runPython(await temporaryFolder(), ['-c', example])
    expect({ code, output }).toEqual({ code: 0, output: '' })
  }
})

/** Exports two dates to a bucket at an endpoint; returns the mock. */
async function exportRuns(bucket: 'memory' | 's3', endpoint_url: string) {
  const clock = manualClock(Date.UTC(2026, 0, 10))
  const mock = createMockServer({ clock, export: { bucket } })
  mock.scriptExports({ rows: 20 })
  const { ok } = exportClient(mock)
  const { id } = await ok('POST', '/destinations', {
    destination_type: 's3',
    display_name: 'test',
    config: { bucket_name: 'traces', prefix: 'exports', endpoint_url },
    credentials: { access_key_id: 'minioadmin', secret_access_key: 'minioadmin' },
  })
  const { id: exportId } = await ok('POST', '', {
    bulk_export_destination_id: id,
    session_id: '5e000000-0000-4000-8000-000000000001',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-03T00:00:00Z',
  })
  await clock.advance(60_000)
  expect(await ok('GET', `/${exportId}`)).toMatchObject({ status: 'Completed' })
  return mock
}

/** Writes an export into a folder. */
async function writeExport(folder: string): Promise<void> {
  for (const { key, bytes } of (await exportRuns('memory', 'http://store.test')).files()) {
    await mkdir(join(folder, dirname(key)), { recursive: true })
    await writeFile(join(folder, key), bytes)
  }
}

test.skipIf(missing !== '')(`every example reads an export${missing}`, async () => {
  const folder = await temporaryFolder()
  await writeExport(folder)
  const store = await startFauxqs({ port: 0, logger: false })
  onTestFinished(() => store.stop())
  store.createBucket('traces')
  await exportRuns('s3', `http://127.0.0.1:${store.port}`)

  const blocks = (await blocksOf('docs/guides/read-an-export.md')).filter(({ language }) => language === 'python')
  expect(blocks).toHaveLength(5)
  for (const { at, text } of blocks) {
    const { code, output } = await runPython(folder, ['-c', text.replace(':9000', `:${store.port}`)])
    expect({ at, code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/ChatModel|Question 1/) })
  }
})

test.skipIf(missing !== '')(`pandas and pyarrow fail as the page says${missing}`, async () => {
  const folder = await temporaryFolder()
  await writeExport(folder)
  for (const call of ['pandas.read_parquet', 'pyarrow.parquet.read_table']) {
    const { code, output } = await runPython(folder, ['-c', `import pandas, pyarrow.parquet; ${call}("exports")`])
    expect(code).toBe(1)
    expect(output).toContain('Unable to merge: Field tenant_id has incompatible types')
  }
})
