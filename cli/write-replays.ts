import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReportError } from '../reporters/model/read.ts'
import type { Report } from '../reporters/model/report.ts'
import { type ReplayFile, replayFiles } from '../reporters/replay/index.ts'
import { reasonOf } from './report-file.ts'

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
