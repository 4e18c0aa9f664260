import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inTemporaryFolder } from '../../targets/processes.ts'
import type { Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'
import { usageOf } from '../usage.ts'

const bin = fileURLToPath(new URL('../../cli/bin/touchstone.js', import.meta.url))
const POLL_MS = 20

/** The conformance suites against the mock server. */
export const suite: Measure = {
  name: 'suite',
  explanation:
    'Time of the command `touchstone conformance` from start to end: for the deployment API, and for both APIs. Waiting is the share of that time in which its busiest thread neither runs nor waits for a core.',
  run: async ({ quick }) => {
    const rows: Samples[] = []
    for (const [name, area, bound] of suites) {
      const runs: SuiteRun[] = []
      for (let round = 0; round < (quick ? 1 : 3); round++) runs.push(await conformance(area))
      rows.push(
        {
          name: `${name}.wall`,
          unit: 's',
          values: runs.map(({ seconds }) => seconds),
          goal: goal('value', '<=', bound),
        },
        { name: `${name}.waiting`, unit: '% of wall', values: runs.map(({ waiting }) => 100 * waiting) },
        { name: `${name}.cpu`, unit: 's CPU', values: runs.map(({ cpuSeconds }) => cpuSeconds) },
      )
    }
    return rows
  },
}

/** Name, options and goal in seconds of each run. */
const suites = [
  ['suite.deployment', ['--area', 'deployment'], 5],
  ['suite', [], 15],
] as const

interface SuiteRun {
  readonly seconds: number
  readonly cpuSeconds: number
  /** From 0 to 1. */
  readonly waiting: number
}

function conformance(area: readonly string[]): Promise<SuiteRun> {
  return inTemporaryFolder((folder) => runConformance([...area, '--report', folder]))
}

async function runConformance(options: readonly string[]): Promise<SuiteRun> {
  const started = performance.now()
  const child = spawn(process.execPath, [bin, 'conformance', ...options], { stdio: 'ignore' })
  // The usage of a process cannot be read after its end, so it is polled.
  let [cpuSeconds, busiest] = [0, 0]
  const polling = setInterval(() => {
    const { cpuMicros, busiestMicros } = usageOf(child.pid ?? 0)
    cpuSeconds = Math.max(cpuSeconds, cpuMicros / 1e6)
    busiest = Math.max(busiest, busiestMicros / 1e6)
  }, POLL_MS)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - started) / 1000
  clearInterval(polling)
  if (code !== 0) throw new Error(`touchstone conformance: expected exit code 0, received ${code}`)
  return { seconds, cpuSeconds, waiting: Math.max(0, 1 - busiest / seconds) }
}
