import { proveExports } from './exports.ts'
import { fanOut } from './fan-out.ts'
import { fuzz } from './fuzz.ts'
import type { LongTest } from './long-test.ts'
import { mocks } from './mocks.ts'
import { schemathesis } from './schemathesis.ts'
import { slowReaders } from './slow-readers.ts'
import { soak } from './soak.ts'
import { repeatVerdicts } from './verdicts.ts'

// `npm run long`: what takes too long for the gate. `npm run long -- NAME…` runs only these. Each talks to servers of its own
// on loopback and stops by itself.

const all: Readonly<Record<string, LongTest>> = {
  verdicts: repeatVerdicts,
  exports: proveExports,
  soak,
  'fan-out': fanOut,
  'slow-readers': slowReaders,
  fuzz,
  mocks,
  schemathesis,
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(all, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no long test ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}\n`)
  process.exit(2)
}
let failures = 0
for (const [name, run] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = performance.now()
  const isRight = await run((line) => process.stdout.write(`${name}: ${line}\n`))
  if (!isRight) failures += 1
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${name}: ${isRight ? 'as it should be' : 'FAILED'} after ${seconds} s\n`)
}
process.exitCode = failures === 0 ? 0 : 1
