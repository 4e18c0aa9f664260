import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: { include: ['test/**/*.test.ts'], pool: 'forks', testTimeout: 30_000 },
})

export default config
