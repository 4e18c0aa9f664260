import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formats } from '../../reporters/index.ts'
import { readReport } from '../../reporters/model/read.ts'
import { command } from '../fixtures/touchstone.ts'
import { exampleReport, greenReport, reportOf, requirement } from '../reporters/example-report.ts'

let folder: string

const touchstone = (...args: string[]) => command(args, { cwd: folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-report-'))
  const one = reportOf([requirement('a.one', 'pass')], { shard: '1/2' })
  const two = reportOf([requirement('a.two', 'fail')], { shard: '2/2' })
  const files = { example: exampleReport, green: greenReport, one, two }
  for (const [name, report] of Object.entries(files))
    await writeFile(join(folder, `${name}.json`), formats.json(report))
  await writeFile(join(folder, 'page.json'), '<html>')
})

afterAll(() => rm(folder, { recursive: true }))

test('shows a saved report as after the run, with exit code 0', async () => {
  const { code, stdout, stderr } = await touchstone('report', 'example.json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(formats.console(readReport(formats.json(exampleReport), '')))
})

test('renders a saved report in every format', async () => {
  for (const format of ['html', 'json', 'ndjson', 'junit', 'markdown', 'badge'] as const) {
    const { stdout } = await touchstone('report', 'green.json', '--format', format)
    expect(stdout).toBe(formats[format](greenReport))
  }
})

test('merges shards with --merge and exits with the code of the verdict', async () => {
  const output = ['--format', 'json', '--output', 'out/merged.json']
  expect(await touchstone('report', 'one.json', 'two.json', '--merge', ...output)).toEqual({
    code: 1,
    stdout: '',
    stderr: '',
  })
  const merged = readReport(await readFile(join(folder, 'out/merged.json'), 'utf8'), 'merged.json')
  expect(merged.verdict.sentence).toBe('Not conformant: 1 of 2 tested requirements fails (open)')
  expect((await touchstone('report', 'one.json', 'two.json')).code).toBe(0)
})

test('is incomplete if --merge lacks a shard', async () => {
  const { code, stdout } = await touchstone('report', 'one.json', 'one.json', '--merge')
  expect(code).toBe(3)
  expect(stdout).toContain('interrupted (shard 2/2 is missing)')
  expect((await touchstone('report', 'one.json', '--merge')).code).toBe(3)
})

test('exits with 2 and one sentence if a file cannot be read', async () => {
  expect(await touchstone('report', 'missing.json')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: missing\.json cannot be read: the file does not exist\.\n/),
  })
  const page = await touchstone('report', 'page.json')
  expect(page.code).toBe(2)
  expect(page.stderr).toMatch(/^error: page\.json is not valid JSON: .*\n/)
  expect(page.stderr).not.toContain('    at ')
})

test('exits with 2 for an unknown format', async () => {
  const { code, stderr } = await touchstone('report', 'green.json', '--format', 'xml')
  expect(code).toBe(2)
  expect(stderr).toMatch(/Allowed choices are console, html, json, .*badge/)
})
