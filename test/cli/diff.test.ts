import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../../reporters/index.ts'
import { changeResponse } from '../../targets/mutants/responses.ts'
import { listening } from '../fixtures/listening.ts'
import { command, temporaryFolder } from '../fixtures/touchstone.ts'
import { greenReport } from '../reporters/example-report.ts'

const busy = changeResponse({ method: 'POST', path: '/threads' }, (body) => ({ ...(body as object), status: 'busy' }))

async function judged(url: string): Promise<string> {
  const folder = await temporaryFolder()
  await command(['test', '--deployment-url', url, '--id', 'thread.*', '--seed', '1', '--report', folder])
  return folder
}

test('two runs of a server: exit code 1 when something broke, 0 when it was fixed', async () => {
  const sound = await judged(await listening())
  const broken = await judged(await listening({}, busy))

  const worse = await command(['diff', sound, join(broken, 'report.json')])
  const better = await command(['diff', broken, sound])

  expect(worse.code).toBe(1)
  expect(worse.stdout).toMatch(/^1 requirement broke, nothing was fixed, /)
  expect(worse.stdout).toContain('Broke (1)\n  thread.fields.status.default: pass → fail (MUST) on open\n')
  expect(better.code).toBe(0)
  expect(better.stdout).toMatch(/^nothing broke, 1 fixed, /)
})

test('a comparison as JSON and as Markdown', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'report.json'), formats.json(greenReport))

  const json = await command(['diff', folder, folder, '--format', 'json'])
  const markdown = await command(['diff', folder, folder, '--format', 'markdown'])

  expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, broke: [], unchanged: 2, before: { source: folder } })
  expect(markdown.stdout).toMatch(/^## ✅ nothing broke, /)
})

test.each([
  ['a report that is not there', ['diff', 'a.json', 'b.json'], /a\.json cannot be read: there is no such file/],
  ['one report', ['diff', 'a.json'], /missing required argument 'after'/],
  ['a format that is none', ['diff', 'a', 'b', '--format', 'xml'], /Allowed choices are console, json, markdown/],
])('%s is a usage error', async (_, args, message) => {
  const { code, stdout, stderr } = await command(args, { cwd: await temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})
