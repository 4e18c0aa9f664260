import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { busy, startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder } from '../fixtures/touchstone.ts'

/** Tests a server that breaks one requirement; returns the lines of the trace and the report. */
async function record() {
  const folder = await temporaryFolder()
  const url = await startMockServer({}, busy)
  const trace = join(folder, 'trace.ndjson')
  const args = ['--id', 'thread.*', '--repeat', '2', '--trace', trace, '--report', folder]
  await command(['test', '--deployment-url', url, ...args])
  const lines = (await readFile(trace, 'utf8')).trimEnd().split('\n')
  return { lines, report: await readFile(join(folder, 'report.json'), 'utf8') }
}

/** Evaluates a trace of these lines. */
async function evaluate(changed: readonly string[]) {
  const report = await temporaryFolder()
  const file = join(report, 'trace.ndjson')
  await writeFile(file, `${changed.join('\n')}\n`)
  const result = await command(['evaluate', file, '--report', report])
  return { ...result, file, report }
}

test('writes the same report as the run that wrote the trace, without the server', async () => {
  const recorded = await record()

  const { code, stdout, report } = await evaluate(recorded.lines)

  expect(code).toBe(1)
  expect(stdout).toMatch(/^Not conformant .*: 1 of \d+ tested requirements fails/m)
  expect(await readFile(join(report, 'report.json'), 'utf8')).toBe(recorded.report)
})

test('ignores requirements that the catalog no longer contains', async () => {
  // Recorded when the catalog contained multitask.enqueue.status-while-queued.
  const recorded = await readFile('test/fixtures/golden-traces/spec.ndjson.br')

  const { code, stdout } = await evaluate(brotliDecompressSync(recorded).toString().trimEnd().split('\n'))

  expect(code).toBe(0)
  expect(stdout).toMatch(/^Conformant for the selection \(area deployment\)/m)
})

test('evaluates what there is of a trace that was cut off', async () => {
  const { lines } = await record()

  const conforming = lines.filter((line) => !line.includes('"busy'))
  const { code, stdout } = await evaluate(conforming.slice(0, 4))

  expect(code).toBe(3)
  expect(stdout).toMatch(/^Incomplete .*interrupted \(the trace was cut off\)/m)
})

test('names the damaged lines and evaluates the others, as an error', async () => {
  const { lines } = await record()

  const { code, stdout, file } = await evaluate(lines.with(4, '{"type":"head"').with(6, '{"type":"weather"}'))

  expect(code).toBe(2)
  expect(stdout).toMatch(/^Error: the trace is damaged, so that verdicts may be wrong: /m)
  expect(stdout).toContain(`${file}:5: expected JSON, received {"type":"head"`)
  expect(stdout).toContain(`${file}:7: expected an entry of a trace, received the type "weather"`)
  expect(stdout).toContain('the file was changed')
})

test('says if the trace was written with other requirements', async () => {
  const [start = '', ...others] = (await record()).lines

  const { stderr } = await evaluate([start.replace(/"catalogHash":"\w+"/, '"catalogHash":"other"'), ...others])
  expect(stderr).toContain('was written with other requirements (Touchstone ')
})

test.each([
  ['a missing file', 'missing.ndjson', /expected a trace that can be read, received missing.ndjson: the file does not/],
  ['another file', 'other.json', /other.json: expected a trace of version 2, received another file, which starts with/],
])('rejects %s', async (_, file, message) => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'other.json'), '{}\n')
  const { code, stdout, stderr } = await command(['evaluate', file], { cwd })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})
