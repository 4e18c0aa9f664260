import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = fileURLToPath(new URL('../../targets/mutants/generated/run.ts', import.meta.url))

/** Tests all generated mutants. Returns whether each is killed or equivalent. */
export async function testGeneratedMutants(print: (line: string) => void): Promise<boolean> {
  const { passed, stdout } = await promisify(execFile)(process.execPath, [run, '--all', '--quiet'], {
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    (result) => ({ passed: true, stdout: result.stdout }),
    (error: { readonly stdout: string }) => ({ passed: false, stdout: error.stdout }),
  )
  for (const line of stdout.trimEnd().split('\n')) print(line)
  return passed
}
