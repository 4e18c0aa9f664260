import { proveExports } from './exports.ts'
import { fanOut } from './fan-out.ts'
import { fuzz } from './fuzz.ts'
import { testGeneratedMutants } from './generated-mutants.ts'
import type { LongTest } from './long-test.ts'
import { mocks } from './mocks.ts'
import { schemathesis } from './schemathesis.ts'
import { slowReaders } from './slow-readers.ts'
import { soak } from './soak.ts'
import { hostileEnvironment, manyVariants } from './variants.ts'
import { repeatVerdicts } from './verdicts.ts'

// `npm run long` runs all tests that take too long for CI, `npm run long -- NAME…` some of them. Each starts its own servers.

const all: Readonly<Record<string, LongTest>> = {
  verdicts: repeatVerdicts,
  variants: manyVariants,
  hostile: hostileEnvironment,
  'generated-mutants': testGeneratedMutants,
  exports: proveExports,
  soak,
  'fan-out': fanOut,
  'slow-readers': slowReaders,
  fuzz,
  mocks,
  schemathesis,
}
const selected = process.argv.slice(2)
const unknown = selected.filter((name) => !Object.hasOwn(all, name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown long test ${unknown.join(', ')}; expected ${Object.keys(all).join(', ')}\n`)
  process.exit(2)
}
let failures = 0
for (const [name, run] of Object.entries(all)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  const started = performance.now()
  const passed = await run((line) => process.stdout.write(`${name}: ${line}\n`))
  if (!passed) failures += 1
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${name}: ${passed ? 'passed' : 'FAILED'} after ${seconds} s\n`)
}
process.exitCode = failures === 0 ? 0 : 1
