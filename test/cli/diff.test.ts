import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../../reporters/index.ts'
import { busy, startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder } from '../fixtures/touchstone.ts'
import { greenReport } from '../reporters/example-report.ts'

async function reportFolder(url: string): Promise<string> {
  const folder = await temporaryFolder()
  await command(['test', '--deployment-url', url, '--id', 'thread.*', '--seed', '1', '--report', folder])
  return folder
}

test('exits with 1 if a requirement broke, and with 0 if it was fixed', async () => {
  const conforming = await reportFolder(await startMockServer())
  const broken = await reportFolder(await startMockServer({}, busy))

  const worse = await command(['diff', conforming, join(broken, 'report.json')])
  const better = await command(['diff', broken, conforming])

  expect(worse.code).toBe(1)
  expect(worse.stdout).toMatch(/^1 requirement broke, nothing was fixed, /)
  expect(worse.stdout).toContain('Broke (1)\n  thread.fields.status.default: pass → fail (MUST) on open\n')
  expect(better.code).toBe(0)
  expect(better.stdout).toMatch(/^nothing broke, 1 fixed, /)
})

test('renders a comparison as JSON and as Markdown', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'report.json'), formats.json(greenReport))

  const json = await command(['diff', folder, folder, '--format', 'json'])
  const markdown = await command(['diff', folder, folder, '--format', 'markdown'])

  expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, broke: [], unchanged: 2, before: { source: folder } })
  expect(markdown.stdout).toMatch(/^## ✅ nothing broke, /)
})

test.each([
  ['a missing report', ['diff', 'a.json', 'b.json'], /a\.json cannot be read: the file does not exist/],
  ['a single report', ['diff', 'a.json'], /missing required argument 'after'/],
  ['an unknown format', ['diff', 'a', 'b', '--format', 'xml'], /Allowed choices are console, json, markdown/],
])('rejects %s', async (_, args, message) => {
  const { code, stdout, stderr } = await command(args, { cwd: await temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})
