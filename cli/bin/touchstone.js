#!/usr/bin/env node
// Runs on any version of Node, so it imports nothing else of the project before it has checked the version.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { checkout, newEnough, tooOld } from './node-version.js'

const ownNode = new URL('../../node_modules/.bin/node', import.meta.url)

if (newEnough) {
  // A server is mostly idle, and a trace can be long; everything else is faster with a larger heap.
  const [, , command, ...args] = process.argv
  if (command === 'serve' || (command === 'evaluate' && args.some(isLarge))) await import('./small-heap.js')
  module.enableCompileCache()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { main } = await import(checkout ? '../main.ts' : '../../dist/cli/main.js')
  await main(process.argv, version)
} else if (checkout && existsSync(ownNode)) {
  const child = spawn(fileURLToPath(ownNode), process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
} else {
  process.stderr.write(tooOld())
  process.exitCode = 2
}

function isLarge(path) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size > 100e6
}
