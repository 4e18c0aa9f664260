import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { peers } from '../../../targets/third-party/all.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { judgePeer } from '../../../targets/third-party/judge.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

const folders = { 'langgraph-js': 'js', 'langgraph-py': 'python' } as const

for (const peer of peers) {
  const missing = await whyNotInstalled(peer)

  test.skipIf(missing && process.env['CI'] !== 'true')(
    `a graph other than a test graph on ${peer.name}: no false failure${missing ? ` (${missing})` : ''}`,
    { timeout: 600_000 },
    async () => {
      expect(missing).toBeUndefined()
      const folder = fileURLToPath(new URL(`../fixtures/black-box/${folders[peer.name]}`, import.meta.url))
      const over = { folder, manifest: { graph: 'agent' } }

      const report = await judgePeer(peer, { folder: await temporaryFolder(), baseline: true, over })

      const rows = (...verdicts: string[]) => report.requirements.filter(({ verdict }) => verdicts.includes(verdict))
      expect(rows('fail', 'flaky', 'blocked', 'harness-error')).toEqual([])
      expect(report.staleBaseline).toEqual([])
      expect(report.verdict).toMatchObject({ result: 'incomplete', exitCode: 3 })
      expect(rows('pass').length).toBeGreaterThan(200)

      const missed = rows('could-not-run').flatMap(({ outcomes }) => outcomes)
      const locked = missed.filter(({ verdict }) => verdict === 'could-not-run')
      expect(locked.filter(({ unlock }) => unlock === undefined)).toEqual([])
      expect(locked.map(({ unlock }) => unlock)).toContain('deploy the test graphs and set graphs.slow')
    },
  )
}
