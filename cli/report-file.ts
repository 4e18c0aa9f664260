import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReportError } from '../reporters/model/parse.ts'
import { readReport } from '../reporters/model/read.ts'
import type { Report } from '../reporters/model/report.ts'
import { type ReplayFile, replayFiles } from '../reporters/replay/index.ts'

/** Reads a saved report from a `report.json` or from a folder with one. */
export async function loadReport(path: string): Promise<Report> {
  const file = (await isFolder(path)) ? join(path, 'report.json') : path
  try {
    return readReport(await readFile(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof ReportError) throw error
    throw new ReportError(`${file} cannot be read: ${reasonOf(error)}.`)
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Reading the file will report the reason.
    return false
  }
}

/** The reason why a file operation failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    ENOENT: 'the file does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  }
  return (code !== undefined ? reasons[code] : undefined) ?? error.message
}

/** Writes the replay files of a report into a folder and removes those of an earlier run. Returns their number. */
export async function writeReplays(report: Report, folder: string): Promise<number> {
  try {
    return await replaceFiles(folder, replayFiles(report))
  } catch (error) {
    throw new ReportError(`The replays cannot be written to ${folder}: ${reasonOf(error)}.`)
  }
}

async function replaceFiles(folder: string, files: readonly ReplayFile[]): Promise<number> {
  const existing = await readdir(folder).catch(() => [])
  // The folder may have other files, which are kept.
  const outdated = existing.filter((name) => /\.(sh|har)$/.test(name))
  await Promise.all(outdated.map((name) => rm(join(folder, name))))
  if (files.length > 0) await mkdir(folder, { recursive: true })
  await Promise.all(
    files.map(async ({ name, text }) => {
      const file = join(folder, name)
      await writeFile(file, text)
      if (name.endsWith('.sh')) await chmod(file, 0o755)
    }),
  )
  return files.length
}
