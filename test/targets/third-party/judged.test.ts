import { expect, test } from 'vitest'
import { peers } from '../../../targets/third-party/all.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { judgePeer } from '../../../targets/third-party/judge.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

for (const peer of peers) {
  const missing = await whyNotInstalled(peer)

  test.skipIf(missing && process.env['CI'] !== 'true')(
    `${peer.name} meets what is not in its baseline${missing ? ` (${missing})` : ''}`,
    { timeout: 600_000 },
    async () => {
      expect(missing).toBeUndefined()

      const report = await judgePeer(peer, { folder: await temporaryFolder(), baseline: true })

      const failed = report.requirements.filter(({ verdict }) => ['fail', 'flaky', 'harness-error'].includes(verdict))
      expect(failed.map(({ id, outcomes }) => ({ id, outcomes }))).toEqual([])
      expect(report.verdict.sentence).toMatch(/^conformant/)
      expect(report.target.endpoints.map(({ kitRevision }) => kitRevision)).toEqual(['1', '1'])
    },
  )
}
