import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { RunSummary } from './test/run-summary.ts'

/** Guards against tests that hang. How long a test waits is decided by the budgets that it passes. */
const guards = { testTimeout: 120_000, hookTimeout: 120_000 }

const config: ViteUserConfig = defineConfig({
  test: {
    pool: 'forks',
    // Many tests wait for processes and browsers.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    ...guards,
    expect: { poll: { timeout: 60_000, interval: 5 } },
    reporters: ['default', new RunSummary()],
    // Commands that tests start load faster with a cache.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: { name: 'slow', include: ['test/**/*.slow.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['{cli,fixtures,mock-server,reporters,suites,targets}/**/*.ts'],
      exclude: ['{reporters/html,mock-server/control/page}/browser', 'targets/third-party/langgraph-*'],
      reporter: ['html'],
      reportOnFailure: true,
    },
  },
})

export default config
