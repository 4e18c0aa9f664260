import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from '../reporters/model/report.ts'
import { ReportError } from '../reporters/model/report-error.ts'
import { type ReplayFile, replayFiles } from '../reporters/replay/index.ts'
import { reasonOf } from './report-file.ts'

/** Writes the replay of every failure into a folder, in place of those of an earlier run; returns how many files there are. */
export async function writeReplays(report: Report, folder: string): Promise<number> {
  try {
    return await replace(folder, replayFiles(report))
  } catch (error) {
    throw new ReportError(`The replays cannot be written to ${folder}: ${reasonOf(error)}.`)
  }
}

async function replace(folder: string, files: readonly ReplayFile[]): Promise<number> {
  const old = await readdir(folder).catch(() => [])
  // Only what an earlier run has written: a folder may hold other things.
  await Promise.all(old.filter((name) => /\.(sh|har)$/.test(name)).map((name) => rm(join(folder, name))))
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
