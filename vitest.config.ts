import { availableParallelism } from 'node:os'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { RunSummary } from './test/run-summary.ts'

const config: ViteUserConfig = defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    reporters: ['default', new RunSummary()],
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts'] },
      },
      { extends: true, test: { name: 'slow', include: ['test/**/*.slow.test.ts'] } },
    ],
    coverage: {
      provider: 'v8',
      include: ['{cli,fixtures,mock-server,reporters,suites,targets}/**/*.ts'],
      exclude: ['reporters/html/browser', 'targets/third-party/langgraph-*'],
      reporter: ['html'],
      reportOnFailure: true,
    },
  },
})

export default config
