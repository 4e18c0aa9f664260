// Runs on any version of Node.
import { existsSync } from 'node:fs'

const NEEDED = [22, 22]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Whether this version of Node can run the project. */
export const newEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])

/** Whether this is a checkout, which runs the sources. A published package has only compiled files. */
export const checkout = existsSync(new URL('../main.ts', import.meta.url))

/** The error message for an old version of Node. */
export function tooOld() {
  const remedy = checkout
    ? 'run "npm ci" without --ignore-scripts, which installs Node for this checkout'
    : 'install a newer Node, for example from https://nodejs.org'
  return `Expected Node ${NEEDED.join('.')} or newer, received ${process.versions.node}: ${remedy}.\n`
}
