import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const exports = ['model', 'week', 'duckdb', 'faults'].map((proof) => `test/mock-server/export/${proof}.test.ts`)
const proofs = ['test/export/filter/model.test.ts', ...exports]

/**
 * The proofs of exports with many more tries, and the table of faults: what happened, rows lost, rows twice. With MinIO,
 * too, where it can be had. Tells whether all of them held.
 */
export function proveExports(): Promise<boolean> {
  const args = ['run', '--disable-console-intercept', '--no-file-parallelism', ...proofs]
  const env = { ...process.env, TOUCHSTONE_LONG: 'true' }
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}
