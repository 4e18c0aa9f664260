import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { plural } from '../reporters/model/text.ts'
import type { Leftover } from '../suites/harness/export/leftovers.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { isUsedUp, stateOf, writeState } from '../suites/runner/state-file.ts'

/** The file `leftovers.json` in the report folder: resources on the target that the run has not removed. */
export interface LeftoversFile {
  /** Writes the leftover resources, or deletes the file if there are none. */
  update(leftovers: readonly Leftover[]): void
  /** How to remove the leftover resources, or undefined if there are none. */
  advice(): string | undefined
}

/** Keeps the file up to date during a run, so that it is right even after a crash. */
export function leftoversFile(folder: string, manifest: Manifest): LeftoversFile {
  const file = unusedName(folder)
  let current: readonly Leftover[] = []
  return {
    update(leftovers) {
      current = leftovers
      if (leftovers.length === 0) rmSync(file, { force: true })
      else writeState(file, stateOf(manifest, leftovers))
    },
    advice() {
      if (current.length === 0) return undefined
      const schedules = current.filter(({ kind }) => kind === 'schedule').length
      const buckets = current.length - schedules
      const parts = [
        schedules > 0 && `${plural(schedules, 'scheduled export')} could not be cancelled`,
        buckets > 0 && `${plural(buckets, 'bucket')} could not be removed`,
      ].filter((part) => part !== false)
      return `${parts.join(' and ')}. To try again, add the options of this run to:\n  touchstone cleanup --state ${file}\n`
    },
  }
}

/** Returns a file name that is free, or whose file lists no leftover resources any more. */
function unusedName(folder: string): string {
  for (let n = 1; ; n++) {
    const file = join(folder, n === 1 ? 'leftovers.json' : `leftovers-${n}.json`)
    if (!existsSync(file) || isUsedUp(file)) return file
  }
}
