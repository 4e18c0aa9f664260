import { expect, test } from 'vitest'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { testServer } from '../../../targets/third-party/test-server.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

for (const server of thirdPartyServers) {
  const missing = await whyNotInstalled(server)

  test.skipIf(missing && process.env['CI'] !== 'true')(
    `${server.name} passes every requirement that is not in its baseline${missing ? ` (${missing})` : ''}`,
    async () => {
      expect(missing).toBeUndefined()

      const report = await testServer(server, { folder: await temporaryFolder(), baseline: true })

      const failed = report.requirements.filter(({ verdict }) => ['fail', 'flaky', 'error'].includes(verdict))
      expect(failed.map(({ id, outcomes }) => ({ id, outcomes }))).toEqual([])
      expect(report.verdict.sentence).toMatch(/^Conformant/)
      expect(report.target.endpoints.map(({ testGraphsRevision }) => testGraphsRevision)).toEqual(['1', '1'])
    },
  )
}
