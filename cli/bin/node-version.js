// Runs on any Node, however old.
import { existsSync } from 'node:fs'

const NEEDED = [22, 22]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Whether this Node runs the project. */
export const newEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])

/** In a checkout the sources run as they are; a published package holds only what was compiled from them. */
export const checkout = existsSync(new URL('../main.ts', import.meta.url))

/** What is found, what is needed and what to do, in one sentence. */
export function tooOld() {
  const remedy = checkout
    ? 'run "npm ci" without --ignore-scripts, which brings a Node of its own for this checkout'
    : 'install a newer Node, for example from https://nodejs.org'
  return `touchstone needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}; ${remedy}.\n`
}
