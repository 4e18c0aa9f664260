import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readReport } from '../reporters/model/read.ts'
import type { Report } from '../reporters/model/report.ts'
import { ReportError } from '../reporters/model/report-error.ts'

/** Reads a saved report: a `report.json`, or a folder that holds one. */
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
    // Reading it tells why.
    return false
  }
}

/** Why a file operation failed, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a directory',
    EACCES: 'permission denied',
  }
  return (code !== undefined ? known[code] : undefined) ?? error.message
}
