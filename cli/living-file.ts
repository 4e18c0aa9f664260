import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { plural } from '../reporters/model/text.ts'
import type { Lasting } from '../suites/harness/export/lasting.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { isUsedUp, stateOf, writeState } from '../suites/runner/state-file.ts'

/** The file in the report folder that tells what a run left on the target. */
export interface LivingFile {
  /** Writes down what lives on; where nothing does, there is no file. */
  note(living: readonly Lasting[]): void
  /** What to tell the user in the end; undefined where nothing was left. */
  advice(): string | undefined
}

/** Keeps the file up to date while a run goes on: after a crash or a kill it tells what was left. */
export function livingFile(folder: string, manifest: Manifest): LivingFile {
  const file = freeName(folder)
  let left: readonly Lasting[] = []
  return {
    note(living) {
      left = living
      if (living.length === 0) rmSync(file, { force: true })
      else writeState(file, stateOf(manifest, living))
    },
    advice() {
      if (left.length === 0) return undefined
      const schedules = left.filter(({ kind }) => kind === 'schedule').length
      const parts = [
        schedules > 0 && `${plural(schedules, 'scheduled export')} could not be cancelled`,
        left.length > schedules && `${plural(left.length - schedules, 'bucket')} could not be removed`,
      ].filter((part) => part !== false)
      return `${parts.join(' and ')}. End them with the options and the configuration of this run:\n  touchstone cleanup --state ${file}\n`
    },
  }
}

/** What an earlier run left and nobody has ended yet must not be forgotten. */
function freeName(folder: string): string {
  for (let n = 1; ; n++) {
    const file = join(folder, n === 1 ? 'living.json' : `living-${n}.json`)
    if (!existsSync(file) || isUsedUp(file)) return file
  }
}
