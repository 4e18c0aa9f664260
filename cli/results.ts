import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lineWidth, wantsColor } from '../reporters/console.ts'
import { formats } from '../reporters/index.ts'
import type { Report } from '../reporters/model/report.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import { rerunCommand } from '../reporters/rerun.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { openFile } from './open-file.ts'
import { writeReplays } from './report-file.ts'
import type { ResultsOptions } from './results-options.ts'

/**
 * Prints a report, writes all report files into a folder and sets the exit code. `target` has the options that describe the
 * target. `rerun` is the command that tests again; without it, only what did not pass is tested again.
 */
export async function writeResults(
  report: Report,
  { report: folder, verbose, open }: ResultsOptions,
  { target, rerun }: { readonly target?: readonly string[] | undefined; readonly rerun?: string } = {},
): Promise<void> {
  await writeReports(report, folder, target)
  const page = join(folder, 'report.html')
  const text = formats.console(report, {
    color: wantsColor(process.stdout, process.env),
    width: lineWidth(process.stdout, process.env),
    verbose,
    report: page,
    rerun: rerun ?? rerunCommand(report, ['--failed', join(folder, 'report.json')], target),
    replay: replaysIn(join(folder, 'replay'), report),
  })
  process.stdout.write(text)
  process.exitCode = report.verdict.exitCode
  if (open) openFile(page)
}

/** Creates the report folder before the tests, so that a run does not fail at its end. */
export async function createReportFolder(folder: string): Promise<void> {
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

async function writeReports(report: Report, folder: string, target: readonly string[] | undefined): Promise<void> {
  const replay = replaysIn('replay', report)
  const files = {
    'report.html': formats.html(report, { replay, ...(target !== undefined && { target }) }),
    'summary.md': formats.markdown(report, { replay }),
    'report.json': formats.json(report),
    'report.ndjson': formats.ndjson(report),
    'junit.xml': formats.junit(report),
    'badge.json': formats.badge(report),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  await writeReplays(report, join(folder, 'replay'))
}
