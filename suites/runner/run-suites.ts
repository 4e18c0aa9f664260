import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CliOptions, Reporter, Vitest } from 'vitest/node'
import type { Decision } from '../harness/run-check.ts'
import type { Job, ToldJob } from './job.ts'
import type { LastingRecord } from './lasting-channel.ts'
import { packageRoot } from './package-root.ts'
import { createScratch } from './scratch.ts'

/** Result of running the checks. */
export interface SuitesResult {
  readonly decisions: readonly Decision[]
  /** Bugs in Touchstone: a file that did not load, a worker that failed. */
  readonly problems: readonly string[]
  readonly interrupted?: string
}

/** Options of a run. */
export interface SuitesOptions {
  readonly concurrency: number
  readonly onDecisions?: (decisions: readonly Decision[]) => void
  /** Record of the leftover resources that the worker reports. */
  readonly lasting: LastingRecord
  /** Stops the run early; decisions made until then are returned. */
  readonly signal?: AbortSignal
}

/** Runs the checks of a job with Vitest in a worker. */
export async function runSuites(job: Job, options: SuitesOptions): Promise<SuitesResult> {
  const { createVitest } = await import('vitest/node')
  const decisions: Decision[] = []
  const problems: string[] = []
  const collector: Reporter = {
    onTestCaseResult(testCase) {
      const decided = testCase.meta().touchstone ?? []
      decisions.push(...decided)
      options.onDecisions?.(decided)
      for (const error of testCase.result().errors ?? []) problems.push(`${testCase.name}: ${error.message}`)
    },
    onTestModuleEnd(module) {
      for (const error of module.errors()) problems.push(`cannot load the suites: ${error.message}`)
    },
    onTestRunEnd(_modules, unhandled) {
      for (const error of unhandled) problems.push(`the worker that runs the checks failed: ${error.message}`)
    },
  }
  const scratch = createScratch()
  try {
    const handlers = keepSignalHandlers()
    const settings = vitestSettings({ ...job, channel: options.lasting.channel }, options.concurrency, collector)
    const vitest = await scratch.asUserData(() => createVitest('test', settings, { cacheDir: scratch.folder }))
    handlers.restore()
    if (await ended(vitest, options.signal)) await vitest.close()
    else await options.lasting.stop()
  } finally {
    scratch.remove()
  }
  const interrupted = options.signal?.aborted ? String(options.signal.reason) : undefined
  return { decisions, problems, ...(interrupted === undefined ? {} : { interrupted }) }
}

function vitestSettings(job: ToldJob, concurrency: number, reporter: Reporter): CliOptions {
  return {
    root: packageRoot,
    config: false,
    watch: false,
    include: [relative(packageRoot, fileURLToPath(specFile))],
    exclude: [],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    // Node loads the checks itself: to transform them takes longer than to run many of them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    fsModuleCache: false,
    // Each wait of a check has its own budget, which grows with the runs in flight.
    testTimeout: 0,
    hookTimeout: 0,
    maxConcurrency: concurrency,
    reporters: [reporter],
    provide: { touchstone: job },
  }
}

/** The compiled file has another ending than its source. */
const specFile = new URL(import.meta.url.endsWith('.ts') ? 'suite.spec.ts' : 'suite.spec.js', import.meta.url)

/** Runs to the end, true; or until the caller wants no more, false: checks that wait for the target are then left behind. */
async function ended(vitest: Vitest, signal: AbortSignal | undefined): Promise<boolean> {
  const run = vitest.start().then(() => true)
  if (!signal) return run
  const aborted = new Promise<false>((resolve) => {
    const stop = () => {
      void vitest.cancelCurrentRun('keyboard-input')
      resolve(false)
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([run, aborted])
}

/** Vitest ends the process at a signal; here the caller decides what a signal does, and the report is still written. */
function keepSignalHandlers(): { restore(): void } {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const known = signals.map((signal) => process.listeners(signal))
  return {
    restore() {
      for (const [index, signal] of signals.entries()) {
        for (const added of process.listeners(signal)) if (!known[index]?.includes(added)) process.off(signal, added)
      }
    },
  }
}
