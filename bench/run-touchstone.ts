import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { peakBytesOf, usageOf } from './usage.ts'

const bin = fileURLToPath(new URL('../cli/bin/touchstone.js', import.meta.url))
const POLL_MS = 20

/** What one call of the command line took. */
export interface CommandRun {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Share of the time in which the busiest thread neither runs nor waits for a core, from 0 to 1. */
  readonly waiting: number
  /** Peak resident memory in bytes. */
  readonly peakBytes: number
}

/** Runs the command line to its end. Throws if it ends with another exit code than the expected one. */
export async function runTouchstone(args: readonly string[], expectedCode = 0): Promise<CommandRun> {
  const started = performance.now()
  const child = spawn(process.execPath, [bin, ...args], { stdio: 'ignore' })
  // The usage of a process cannot be read after its end, so it is polled.
  let [cpuSeconds, busiest, peakBytes] = [0, 0, 0]
  const polling = setInterval(() => {
    const { cpuMicros, busiestMicros } = usageOf(child.pid ?? 0)
    cpuSeconds = Math.max(cpuSeconds, cpuMicros / 1e6)
    busiest = Math.max(busiest, busiestMicros / 1e6)
    peakBytes = Math.max(peakBytes, peakBytesOf(child.pid ?? 0))
  }, POLL_MS)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - started) / 1000
  clearInterval(polling)
  if (code !== expectedCode) {
    throw new Error(`touchstone ${args.join(' ')}: expected exit code ${expectedCode}, received ${code}`)
  }
  return { seconds, cpuSeconds, waiting: Math.max(0, 1 - busiest / seconds), peakBytes }
}
