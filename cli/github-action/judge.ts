// The step "Judge" of action.yml: runs the command, and tells the runner what came of it.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Report, ReportRow } from '../../reporters/model/report.ts'
import { addSummary, errorLine, setOutputs } from './github.ts'

/** Exit codes at which the step fails. */
const gates: Readonly<Record<string, readonly number[]>> = { incomplete: [1, 2, 3], failure: [1, 2], never: [2] }

/** The runner shows no more of a step than this. */
const shownErrors = 10

const env = process.env
const gate = gates[input('fail-on')]
if (gate === undefined) {
  process.stderr.write(`fail-on: expected ${Object.keys(gates).join(', ')}, received ${input('fail-on')}\n`)
  process.exitCode = 2
} else {
  process.exitCode = judge(gate)
}

function judge(gate: readonly number[]): number {
  const directory = resolve(env['GITHUB_WORKSPACE'] ?? '.', input('directory'))
  const folder = resolve(directory, input('report'))
  // What an earlier step left there would be told as the result of this one.
  for (const file of ['report.json', 'summary.md']) rmSync(join(folder, file), { force: true })
  const { status } = spawnSync(process.execPath, [input('bin'), 'test', ...options(folder)], {
    cwd: directory,
    stdio: 'inherit',
  })
  const exitCode = status ?? 2
  tell(exitCode, folder)
  return gate.includes(exitCode) ? exitCode : 0
}

function options(folder: string): string[] {
  const single = ['deployment-url', 'config', 'graph', 'baseline', 'repeat'].flatMap((name) =>
    input(name) === '' ? [] : [`--${name}`, input(name)],
  )
  const headers = input('headers')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [...single, ...headers.flatMap((header) => ['--header', header.trim()]), '--report', folder]
}

function tell(exitCode: number, folder: string): void {
  const report = readReport(folder)
  if (report === undefined) {
    setOutputs(env, { verdict: 'usage-error', sentence: 'nothing was judged', 'exit-code': exitCode, failed: 0 })
    addSummary(env, '## Nothing was judged\n\nThe log of the step says what is missing.')
    return
  }
  const failed = report.requirements.filter(isUnmet)
  const { result, sentence } = report.verdict
  setOutputs(env, { verdict: result, sentence, 'exit-code': exitCode, failed: failed.length, report: folder })
  addSummary(env, readFileSync(join(folder, 'summary.md'), 'utf8'))
  for (const { id, statement } of failed.slice(0, shownErrors)) process.stdout.write(errorLine(id, statement))
}

function readReport(folder: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function isUnmet({ level, verdict }: ReportRow): boolean {
  return level === 'MUST' && (verdict === 'fail' || verdict === 'flaky')
}

/** An input of the action, empty where it is not given. */
function input(name: string): string {
  return env[`TOUCHSTONE_${name.replaceAll('-', '_').toUpperCase()}`] ?? ''
}
