import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { testServer } from '../../../targets/third-party/test-server.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

const folders = { 'langgraph-js': 'js', 'langgraph-js-2': 'js', 'langgraph-py': 'python' } as const

for (const server of thirdPartyServers) {
  const missing = await whyNotInstalled(server)

  test.skipIf(missing && process.env['CI'] !== 'true')(
    `no false failure with an unknown graph on ${server.name}${missing ? ` (${missing})` : ''}`,
    async () => {
      expect(missing).toBeUndefined()
      const folder = fileURLToPath(new URL(`../../fixtures/black-box/${folders[server.name]}`, import.meta.url))
      const overlay = { folder, manifest: { graph: 'agent' } }

      const report = await testServer(server, { folder: await temporaryFolder(), baseline: true, overlay })

      const withVerdict = (...verdicts: string[]) =>
        report.requirements.filter(({ verdict }) => verdicts.includes(verdict))
      expect(withVerdict('fail', 'flaky', 'blocked', 'error')).toEqual([])
      expect(report.staleBaseline).toEqual([])
      expect(report.verdict).toMatchObject({ result: 'incomplete', exitCode: 3 })
      expect(withVerdict('pass').length).toBeGreaterThan(200)

      const inconclusive = withVerdict('inconclusive')
        .flatMap(({ outcomes }) => outcomes)
        .filter(({ verdict }) => verdict === 'inconclusive')
      expect(inconclusive.filter(({ unlock }) => unlock === undefined)).toEqual([])
      expect(inconclusive.map(({ unlock }) => unlock)).toContain('deploy the test graphs and set graphs.slow')
    },
  )
}
