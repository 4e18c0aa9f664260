import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'

/** A temporary folder for what Vitest insists on writing. */
export interface Scratch {
  readonly folder: string
  /** Runs something that looks up the folder of the user's data, and lets it find this one. */
  asUserData<T>(action: () => Promise<T>): Promise<T>
  remove(): void
}

/**
 * Makes a temporary folder. Throws UsageError where none can be made.
 *
 * Vitest keeps a cache beside the package and, even where nothing is served, a token in the user's home or beside the
 * package. An install may be read-only and a user without a home, and a test run has no business in either.
 */
export function createScratch(env: NodeJS.ProcessEnv = process.env): Scratch {
  const folder = makeFolder()
  const variable = userDataVariable[process.platform] ?? 'XDG_DATA_HOME'
  return {
    folder,
    async asUserData(action) {
      const before = env[variable]
      env[variable] = folder
      try {
        return await action()
      } finally {
        if (before === undefined) delete env[variable]
        else env[variable] = before
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What decides on the folder of the user's data, where it is not the variable of the XDG specification. */
const userDataVariable: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'LOCALAPPDATA', darwin: 'HOME' }

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'touchstone-'))
  } catch {
    throw new UsageError(`cannot create a temporary folder in ${tmpdir()}. Set TMPDIR to a writable folder.`)
  }
}
