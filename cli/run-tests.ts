import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wantsColor } from '../reporters/console.ts'
import { formats } from '../reporters/index.ts'
import type { Report } from '../reporters/model/report.ts'
import { createProgress, type Progress } from '../reporters/progress.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { type JudgeOptions, judge } from '../suites/runner/judge.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { leftoversFile } from './leftovers-file.ts'
import { writeReplays } from './report-file.ts'
import { onSignal } from './signals.ts'
import { createTraceFile } from './trace-file.ts'

interface RunTestsOptions extends JudgeOptions {
  /** Returns what the user should do next; printed last. */
  readonly advice?: () => string
  /** File that everything that is sent and received is written to. */
  readonly trace?: string | undefined
}

/** Tests a target, shows progress on standard error, prints the result, writes the reports and sets the exit code. */
export async function runTests(manifest: Manifest, folder: string, options: RunTestsOptions): Promise<void> {
  await createFolder(folder)
  const trace = options.trace === undefined ? undefined : createTraceFile(options.trace)
  let progress: Progress | undefined
  const leftovers = leftoversFile(folder, manifest)
  const abort = new AbortController()
  onSignal((signal) => {
    progress?.end()
    process.stderr.write(`${signal}: cleaning up; press Ctrl-C again to quit\n`)
    abort.abort(signal)
  })
  const onExit = (code: number) => failEarlyExit(code, leftovers.advice())
  process.once('exit', onExit)
  const report = await judge(manifest, {
    ...options,
    ...(trace && { onTrace: trace.onTrace }),
    signal: abort.signal,
    onLasting: leftovers.update,
    onWaiting: (url, longestMs) => {
      process.stderr.write(`waiting for ${url} to respond, for up to ${longestMs / 1000} s\n`)
    },
    onStart: (total) => {
      progress = createProgress(total, process.stderr)
    },
    onDecisions: (decisions) => {
      for (const { row, verdict } of decisions) progress?.({ id: row, verdict })
    },
  }).finally(() => process.off('exit', onExit))
  trace?.close()
  progress?.end()
  const files = await writeReports(report, folder)
  const replay = replaysIn(join(folder, 'replay'), report)
  process.stdout.write(formats.console(report, { color: wantsColor(process.stdout, process.env), replay }))
  process.stdout.write(`\nreports written to ${folder}: ${files.join(', ')}\n`)
  if (options.trace !== undefined) process.stdout.write(`trace written to ${options.trace}\n`)
  process.stderr.write(`${leftovers.advice() ?? ''}${options.advice?.() ?? ''}`)
  process.exitCode = report.verdict.exitCode
  // Checks that still wait for the target would keep the process alive.
  if (report.interrupted !== undefined) process.exit()
}

/** Reports a process that ends during the tests. A driver could end it with exit code 0, which would look like a success. */
function failEarlyExit(code: number, advice = ''): void {
  process.stderr.write(`error: the process ended before the tests, so there is no report\n${advice}`)
  if (code === 0) process.exitCode = 2
}

/** Creates the report folder before the tests, so that a run does not fail at its end. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(
      `--report ${folder}: expected a writable folder, received ${isFile ? 'a file' : 'one that cannot be written to'}. Name another folder.`,
    )
  }
}

/** Writes the reports and returns their names, the HTML report first. */
async function writeReports(report: Report, folder: string): Promise<string[]> {
  const replay = replaysIn('replay', report)
  const files = {
    'report.html': formats.html(report, { replay }),
    'summary.md': formats.markdown(report, { replay }),
    'report.json': formats.json(report),
    'report.ndjson': formats.ndjson(report),
    'junit.xml': formats.junit(report),
    'badge.json': formats.badge(report),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  const replays = await writeReplays(report, join(folder, 'replay'))
  return [...Object.keys(files), ...(replays > 0 ? ['replay/'] : [])]
}
