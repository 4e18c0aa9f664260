import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wantsColor } from '../reporters/color.ts'
import { formats } from '../reporters/index.ts'
import type { Report } from '../reporters/model/report.ts'
import { createProgress, type Progress } from '../reporters/progress.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { type JudgeOptions, judge } from '../suites/runner/judge.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { livingFile } from './living-file.ts'
import { endInOrder } from './signals.ts'
import { writeReplays } from './write-replays.ts'

/** How a target is judged and what is told beside its report. */
interface JudgeAndReportOptions extends JudgeOptions {
  /** What to do next, told at the end. */
  readonly advice?: () => string
}

/** Judges a target with progress on standard error, prints the result, writes the reports and sets the exit code. */
export async function judgeAndReport(
  manifest: Manifest,
  folder: string,
  options: JudgeAndReportOptions,
): Promise<void> {
  await makeFolder(folder)
  let progress: Progress | undefined
  const living = livingFile(folder, manifest)
  const stop = new AbortController()
  endInOrder((signal) => {
    progress?.end()
    process.stderr.write(`${signal}: ending what lives on by itself; the same again ends at once\n`)
    stop.abort(signal)
  })
  const report = await judge(manifest, {
    ...options,
    signal: stop.signal,
    onLasting: living.note,
    onWaiting: (url, longestMs) => {
      process.stderr.write(`waiting for ${url} to answer, for up to ${longestMs / 1000} s\n`)
    },
    onStart: (total) => {
      progress = createProgress(total, process.stderr)
    },
    onDecisions: (decisions) => {
      for (const { row, verdict } of decisions) progress?.({ id: row, verdict })
    },
  })
  progress?.end()
  const files = await writeReports(report, folder)
  const replay = replaysIn(join(folder, 'replay'), report)
  process.stdout.write(formats.console(report, { color: wantsColor(process.stdout, process.env), replay }))
  process.stdout.write(`\nreports written to ${folder}: ${files.join(', ')}\n`)
  process.stderr.write(`${living.advice() ?? ''}${options.advice?.() ?? ''}`)
  process.exitCode = report.verdict.exitCode
  // Checks that still wait for the target would keep the process alive.
  if (report.interrupted !== undefined) process.exit()
}

/** Before anything is judged: a report that cannot be written is a run for nothing. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(`--report ${folder} ${isFile ? 'is a file; expected a folder' : 'cannot be written to'}.`)
  }
}

/** Writes every report of the run and tells their names, the one for people first. */
async function writeReports(report: Report, folder: string): Promise<string[]> {
  const beside = replaysIn('replay', report)
  const files = {
    'report.html': formats.html(report, { replay: beside }),
    'summary.md': formats.markdown(report, { replay: beside }),
    'report.json': formats.json(report),
    'report.ndjson': formats.ndjson(report),
    'junit.xml': formats.junit(report),
    'badge.json': formats.badge(report),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  const replays = await writeReplays(report, join(folder, 'replay'))
  return [...Object.keys(files), ...(replays > 0 ? ['replay/'] : [])]
}
