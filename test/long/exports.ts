import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const exports = ['model', 'week', 'duckdb', 'faults'].map((proof) => `test/mock-server/export/${proof}.test.ts`)
const testFiles = ['test/export/filter/model.test.ts', ...exports]

/**
 * Runs the property tests of exports with many more attempts, and prints a table of faults with lost and duplicate rows.
 * Includes MinIO if it is available. Returns whether all tests passed.
 */
export function proveExports(): Promise<boolean> {
  const args = ['run', '--disable-console-intercept', '--no-file-parallelism', ...testFiles]
  const env = { ...process.env, TOUCHSTONE_LONG: 'true' }
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}
