import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { whyNotInstalled } from '../../targets/third-party/install.ts'
import { langgraphPy } from '../../targets/third-party/servers.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { javaScriptResults, type Results, tableOf } from '../mock-server/sdk/table.ts'

// The public Python server is installed with the Python clients.
const missing = await whyNotInstalled(langgraphPy)
const python = join(langgraphPy.installFolder, 'bin/python')
const folder = join(import.meta.dirname, 'python')
const dialects = ['spec', 'agent-server', 'js-dev'] as const
const skipped = missing !== undefined && process.env['CI'] !== 'true'

/** Runs Python with the URL of a new mock server. */
async function runPython(dialect: (typeof dialects)[number], args: readonly string[]) {
  expect(missing).toBeUndefined()
  const url = await startMockServer({ dialect, faultsByHeader: true })
  const child = spawn(python, args, {
    env: { ...process.env, TOUCHSTONE_URL: url, TOUCHSTONE_DIALECT: dialect, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const [output, report, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output, report }
}

test.skipIf(skipped).each(dialects)('the Python clients work with the dialect %s', async (dialect) => {
  const { code, report } = await runPython(dialect, ['-m', 'unittest', 'discover', '--start-directory', folder])
  expect({ code, report }).toMatchObject({ code: 0, report: expect.stringContaining('OK') })
})

test.skipIf(skipped)('the table in docs/reference/sdk-calls.md is current; `vitest --update` writes it', async () => {
  const columns: unknown[] = []
  for (const dialect of dialects) {
    const { code, output, report } = await runPython(dialect, [join(folder, 'calls.py')])
    expect({ code, report }).toMatchObject({ code: 0 })
    columns.push(JSON.parse(output))
  }
  const [spec, ...others] = columns as Record<string, Results>[]
  for (const other of others) expect(other).toEqual(spec)
  const results = { ...javaScriptResults(), ...mapMethods(spec ?? {}) }

  const methods = Object.values(results).flatMap(Object.keys)
  const table = tableOf(results)
  expect(methods.filter((method) => !table.includes(`\`${method}\``))).toEqual([])
  const file = join(import.meta.dirname, '../../docs/reference/sdk-calls.md')
  const page = (await readFile(file, 'utf8')).replace(/(^\|.*\n)+/m, `${table}\n`)
  await expect(page).toMatchFileSnapshot(file)
})

/** Changes the names of methods from `threads.get_state` to `threads.getState`. */
function mapMethods(columns: Record<string, Results>): Record<string, Results> {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(columns).map(([column, results]) => [
      column,
      Object.fromEntries(Object.entries(results).map(([method, result]) => [camelCase(method), result])),
    ]),
  )
}
