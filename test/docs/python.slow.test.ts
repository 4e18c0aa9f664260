import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bin, temporaryFolder } from '../fixtures/touchstone.ts'
import { blocksOf } from './pages.ts'
import { writeCommands } from './reader.ts'

const python = process.env['DOCS_PYTHON']
/** The reason to skip; never in CI. */
const missing =
  python === undefined && process.env['CI'] === undefined
    ? ' (no Python for the pages: install test/docs/python-requirements.txt, and name its python in DOCS_PYTHON)'
    : ''

/** Runs Python in a folder whose `bin` has the command `npx`; returns its exit code and what it printed. */
async function runPython(folder: string, args: readonly string[]) {
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(python ?? '', args, { cwd: folder, env })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: stdout + stderr }
}

test.skipIf(missing !== '')(`the tests of a Python client pass${missing}`, async () => {
  const folder = await temporaryFolder()
  await writeCommands(join(folder, 'bin'), bin)
  for (const { meta, text } of await blocksOf('docs/guides/test-a-python-client.md')) {
    if (meta['file'] !== undefined) await writeFile(join(folder, meta['file']), text)
  }
  const { code, output } = await runPython(folder, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 passed') })
})
