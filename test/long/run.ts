import { proveExports } from './exports.ts'
import { repeatVerdicts } from './verdicts.ts'

// `npm run long`: what takes too long for the gate; `npm run long -- exports` or `-- verdicts` runs one part. It talks to
// servers of its own on loopback and stops by itself.

const parts: Readonly<Record<string, () => Promise<boolean>>> = { exports: proveExports, verdicts: repeatVerdicts }
const [wanted] = process.argv.slice(2)
const chosen = wanted === undefined ? Object.values(parts) : [parts[wanted]]

for (const part of chosen) {
  if (part === undefined) {
    process.stderr.write(`${wanted} is no part of the long run: ${Object.keys(parts).join(' or ')}\n`)
    process.exitCode = 2
  } else if (!(await part())) process.exitCode = 1
}
