import type { Report } from '../reporters/model/report.ts'
import { createProgress, type Progress } from '../reporters/progress.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { type TestTargetOptions, testTarget } from '../suites/runner/test-target.ts'
import { leftoversFile } from './leftovers-file.ts'
import { createRefusalNotes } from './refusal-notes.ts'
import { createReportFolder, writeResults } from './results.ts'
import type { ResultsOptions } from './results-options.ts'
import { onSignal } from './signals.ts'
import { createTraceFile } from './trace-file.ts'

interface RunTestsOptions extends TestTargetOptions {
  /** Returns what the user should do next; printed last. */
  readonly advice?: () => string
  /** The options that describe the target, to give them again. */
  readonly target?: readonly string[]
  /** File for the trace: everything that was sent and received. */
  readonly trace?: string | undefined
}

/** Shortest time between two evaluations while the tests run, in milliseconds: most targets are tested before the first. */
const interimMs = 5000

/** Tests a target, shows progress on standard error, prints the result, writes the reports and sets the exit code. */
export async function runTests(manifest: Manifest, results: ResultsOptions, options: RunTestsOptions): Promise<void> {
  const folder = results.report
  await createReportFolder(folder)
  const trace = options.trace === undefined ? undefined : createTraceFile(options.trace)
  const refusals = createRefusalNotes()
  let progress: Progress | undefined
  const leftovers = leftoversFile(folder, manifest)
  const abort = new AbortController()
  const onExit = (code: number) => failEarlyExit(code, leftovers.advice())
  onSignal((signal) => {
    if (progress === undefined) {
      process.off('exit', onExit)
      process.stderr.write(`${signal}: stopped before the first check\nNothing was tested, and there is no report.\n`)
      process.exit(3)
    }
    progress.close()
    process.stderr.write(`${signal}: cleaning up; press Ctrl-C again to quit\n`)
    abort.abort(signal)
  })
  process.once('exit', onExit)
  const report = await testTarget(manifest, {
    ...options,
    onTrace: (entry) => {
      trace?.onTrace(entry)
      refusals.onTrace(entry)
      if (entry.type === 'scenario') progress?.started(entry.title)
    },
    signal: abort.signal,
    onLeftovers: leftovers.update,
    onWaiting: (url, maxWaitMs) => {
      process.stderr.write(`waiting for ${url} to respond, for up to ${maxWaitMs / 1000} s\n`)
    },
    onCapacity: (runs) => {
      const [executed, checks] = runs === 1 ? ['one run', 'one check'] : [`${runs} runs`, `${runs} checks`]
      process.stderr.write(
        `the server executes ${executed} at a time, so Touchstone runs ${checks} at a time; --concurrency changes that\n`,
      )
    },
    onStart: (total) => {
      progress = createProgress(total, process.stderr)
    },
    ...(process.stderr.isTTY && {
      interim: { everyMs: interimMs, onReport: (interim: Report) => progress?.tested(interim) },
    }),
    onEnd: (title) => progress?.ended(title),
  }).finally(() => process.off('exit', onExit))
  trace?.close()
  progress?.close()
  await writeResults(report, results, { target: options.target })
  if (options.trace !== undefined) process.stdout.write(`trace written to ${options.trace}\n`)
  process.stderr.write(`${refusals.text()}${leftovers.advice() ?? ''}${options.advice?.() ?? ''}`)
  // Checks that still wait for the target would keep the process alive.
  if (report.interrupted !== undefined) process.exit()
}

/**
 * Reports that the process ends during the tests, for example because a driver module of the configuration ends it. Replaces
 * exit code 0, which means conformant, with 2.
 */
function failEarlyExit(code: number, advice = ''): void {
  process.stderr.write(`error: the process ended before the tests had finished, so there is no report\n${advice}`)
  if (code === 0) process.exitCode = 2
}
