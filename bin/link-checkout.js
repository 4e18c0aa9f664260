// Run by `npm install` in a checkout: puts this package's own command where npx looks first, so that `npx touchstone`
// needs neither the network nor npm's cache. On Windows npx finds the command by itself.
import { rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const link = fileURLToPath(new URL('../node_modules/.bin/touchstone', import.meta.url))
if (process.platform !== 'win32') {
  rmSync(link, { force: true })
  symlinkSync('../../bin/touchstone.js', link)
}
