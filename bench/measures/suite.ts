import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'
import { usageOf } from '../usage.ts'

const bin = fileURLToPath(new URL('../../cli/bin/touchstone.js', import.meta.url))
const LOOK_EVERY_MS = 20

/** The suites on the mock server. */
export const suite: Measure = {
  name: 'suite',
  explanation:
    'The command `touchstone conformance`, from its start to its end: of the deployment API, and of both areas. Waiting is the share of that time in which not even the busiest of its threads computes, or would if a core were free.',
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

/** What is judged, with its goal in seconds. */
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

async function conformance(area: readonly string[]): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'))
  const started = performance.now()
  const child = spawn(process.execPath, [bin, 'conformance', ...area, '--report', folder], { stdio: 'ignore' })
  // The system forgets what a process has used as soon as it ends, so it is looked at all the time.
  let [most, busiest] = [0, 0]
  const watch = setInterval(() => {
    const { cpuMicros, busiestMicros } = usageOf(child.pid ?? 0)
    most = Math.max(most, cpuMicros / 1e6)
    busiest = Math.max(busiest, busiestMicros / 1e6)
  }, LOOK_EVERY_MS)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  await rm(folder, { recursive: true })
  if (code !== 0) throw new Error(`touchstone conformance ended with ${code}: the mock server does not conform`)
  return { seconds, cpuSeconds: most, waiting: Math.max(0, 1 - busiest / seconds) }
}
