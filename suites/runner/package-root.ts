import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package's package.json: above the sources in a checkout, above `dist` once installed. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Version of the suites. */
export const suiteVersion: string = readVersion()

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return version
}
