import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wantsColor } from '../reporters/console.ts'
import { formats } from '../reporters/index.ts'
import type { Report } from '../reporters/model/report.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { writeReplays } from './report-file.ts'

/** Prints a report, writes all report files into a folder and sets the exit code. */
export async function writeResults(report: Report, folder: string): Promise<void> {
  const files = await writeReports(report, folder)
  const replay = replaysIn(join(folder, 'replay'), report)
  process.stdout.write(formats.console(report, { color: wantsColor(process.stdout, process.env), replay }))
  process.stdout.write(`\nreports written to ${folder}: ${files.join(', ')}\n`)
  process.exitCode = report.verdict.exitCode
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
