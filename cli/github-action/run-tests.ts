// The step "Test" of action.yml: runs `touchstone test` and passes the result on to GitHub.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { groupFindings } from '../../reporters/findings.ts'
import type { Report } from '../../reporters/model/report.ts'
import { isFailedMust } from '../../reporters/model/verdict.ts'
import { addSummary, errorAnnotation, setOutputs } from './github.ts'

/** The exit codes of `touchstone test` that fail the step, by the value of the input `fail-on`. */
const failingCodes: Readonly<Record<string, readonly number[]>> = {
  incomplete: [1, 2, 3],
  failure: [1, 2],
  never: [2],
}

/** GitHub shows at most this many error annotations of a step. */
const maxAnnotations = 10

const env = process.env
const codes = failingCodes[input('fail-on')]
if (codes === undefined) {
  process.stderr.write(`fail-on: expected ${Object.keys(failingCodes).join(', ')}, received ${input('fail-on')}\n`)
  process.exitCode = 2
} else {
  const exitCode = runTests()
  process.exitCode = codes.includes(exitCode) ? exitCode : 0
}

function runTests(): number {
  const directory = resolve(env['GITHUB_WORKSPACE'] ?? '.', input('directory'))
  const folder = resolve(directory, input('report'))
  // Reports of an earlier step must not be taken for the result of this one.
  for (const file of ['report.json', 'summary.md']) rmSync(join(folder, file), { force: true })
  const { status } = spawnSync(process.execPath, [input('bin'), 'test', ...options(folder)], {
    cwd: directory,
    stdio: 'inherit',
  })
  const exitCode = status ?? 2
  publish(exitCode, folder)
  return exitCode
}

/** The options of `touchstone test` for the inputs of the action. */
function options(folder: string): string[] {
  const single = ['deployment-url', 'config', 'graph', 'baseline', 'repeat'].flatMap((name) =>
    input(name) === '' ? [] : [`--${name}`, input(name)],
  )
  const headers = input('headers')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [...single, ...headers.flatMap((header) => ['--header', header.trim()]), '--report', folder]
}

/** Sets the outputs of the step, adds the summary to that of the job and annotates failed requirements. */
function publish(exitCode: number, folder: string): void {
  const report = readReport(folder)
  if (report === undefined) {
    setOutputs(env, { verdict: 'usage-error', sentence: 'nothing was tested', 'exit-code': exitCode, failed: 0 })
    addSummary(env, '## Nothing was tested\n\nThe log of the step shows the reason.')
    return
  }
  const failed = report.requirements.filter(isFailedMust)
  const { result, sentence } = report.verdict
  setOutputs(env, { verdict: result, sentence, 'exit-code': exitCode, failed: failed.length, report: folder })
  addSummary(env, readFileSync(join(folder, 'summary.md'), 'utf8'))
  for (const { headline, requirements, blocked } of groupFindings(report).rootCauses.slice(0, maxAnnotations)) {
    const [first, ...others] = requirements
    const same = others.length > 0 ? [`${others.length} more with the same cause`] : []
    const blocks = blocked.length > 0 ? [`blocks ${blocked.length}`] : []
    process.stdout.write(errorAnnotation([first.id, ...same, ...blocks].join(', '), headline))
  }
}

function readReport(folder: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** The value of an input of the action; empty if it is not set. */
function input(name: string): string {
  return env[`TOUCHSTONE_${name.replaceAll('-', '_').toUpperCase()}`] ?? ''
}
