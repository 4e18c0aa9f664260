import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../../reporters/index.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'
import { greenReport } from '../reporters/example-report.ts'

/** Creates a folder with one folder for each file. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const report = formats.json(greenReport)
const other = formats.json({ ...greenReport, target: { ...greenReport.target, version: '1.3.0' } })

test('compares reports in a page and in JSON, and links the pages that can be published with it', async () => {
  const cwd = await folderWith({
    'site/a b/report.json': report,
    'site/a b/report.html': '',
    'elsewhere/report.json': other,
    'elsewhere/report.html': '',
  })

  const result = await command(['matrix', 'elsewhere', 'site/a b/report.json', '--output', 'site'], { cwd })

  expect(result).toEqual({ code: 0, stdout: '2 servers: site/matrix.html, site/matrix.json\n', stderr: '' })
  expect(await readFile(join(cwd, 'site/matrix.html'), 'utf8')).toMatch(/^<!doctype html>/)
  const { servers } = JSON.parse(await readFile(join(cwd, 'site/matrix.json'), 'utf8'))
  expect(servers).toMatchObject([{ version: '1.2.0', page: 'a%20b/report.html' }, { version: '1.3.0' }])
  expect(servers[1]).not.toHaveProperty('page')
})

test('opens the page with --open, or names it if there is no browser', async () => {
  const cwd = await folderWith({
    'report.json': report,
    browser: '#!/bin/sh\necho "$1" > opened.tmp\nmv opened.tmp opened\n',
  })
  await chmod(join(cwd, 'browser'), 0o755)
  const matrix = (browser: string) =>
    touchstone(['matrix', 'report.json', '--output', 'site', '--open'], { cwd, env: { BROWSER: join(cwd, browser) } })

  await matrix('browser')
  const none = await matrix('gone')

  await expect.poll(() => readFile(join(cwd, 'opened'), 'utf8').catch(() => '')).toMatch(/site\/matrix\.html\n$/)
  expect(none).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^--open: no browser was found\. Open .*matrix\.html/),
  })
})

test.each([
  ['no report', [], /missing required argument 'file'/],
  ['a missing report', ['gone.json'], /gone\.json cannot be read: the file does not exist/],
  ['a file that is not a report', ['package.json'], /package\.json: expected the report\.json of a run, received/],
  [
    'the same server twice',
    ['a.json', 'b.json'],
    /b\.json: expected another server than a\.json, received example 1\.2\.0 again\. Leave one out/,
  ],
  ['a file as output folder', ['a.json', '--output', 'b.json'], /The matrix cannot be written to b\.json/],
])('rejects %s', async (_, args, message) => {
  const cwd = await folderWith({ 'a.json': report, 'b.json': report, 'package.json': '{"version":"1.0.0"}' })

  const { code, stdout, stderr } = await command(['matrix', ...args], { cwd })

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})
