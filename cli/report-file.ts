import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ReportError, readReport } from '../reporters/model/read.ts'
import type { Report } from '../reporters/model/report.ts'

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
