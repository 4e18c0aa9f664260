import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepCoresBusy } from '../../targets/processes.ts'

const repeats = '20'
const bin = fileURLToPath(new URL('../../cli/bin/touchstone.js', import.meta.url))

/** Repeats every verdict twenty times in each dialect, idle and with all cores busy. Returns whether none changed. */
export async function repeatVerdicts(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-long-'))
  let failures = 0
  try {
    for (const load of ['idle', 'all cores busy'] as const) {
      const stop = load === 'idle' ? async () => {} : keepCoresBusy()
      for (const dialect of ['spec', 'agent-server', 'js-dev']) {
        const started = performance.now()
        const args = ['conformance', '--dialect', dialect, '--repeat', repeats, '--report', join(folder, dialect)]
        const { code, sentence } = await touchstone(args)
        if (code !== 0) failures += 1
        const seconds = Math.round((performance.now() - started) / 1000)
        process.stdout.write(`${dialect}, ${repeats} repeats, ${load}: exit ${code} in ${seconds} s: ${sentence}\n`)
      }
      await stop()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return failures === 0
}

function touchstone(args: readonly string[]): Promise<{ code: number | null; sentence: string }> {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, sentence: out.split('\n')[0] ?? '' })))
}
