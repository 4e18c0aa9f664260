import { expect, test } from 'vitest'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { langgraphJs } from '../../../targets/third-party/servers.ts'
import { startNode, temporaryFolder } from '../../fixtures/touchstone.ts'

const missing = await whyNotInstalled(langgraphJs)

test('rejects an unknown server and lists the known ones', async () => {
  const { code, stderr } = await startNode(['targets/third-party/run.ts', 'langgraph-rust']).ended

  expect(code).toBe(2)
  expect(stderr).toContain('unknown server langgraph-rust; expected langgraph-js, langgraph-js-2, langgraph-py')
})

test.skipIf(missing && process.env['CI'] !== 'true')(
  `an interrupted run is incomplete and leaves no server behind${missing ? ` (${missing})` : ''}`,
  async () => {
    expect(missing).toBeUndefined()
    const run = startNode(['targets/third-party/run.ts', 'langgraph-js', '--report', await temporaryFolder()])
    const urls = (await run.firstLine).match(/http:\S+/g) ?? []
    expect(urls).toHaveLength(2)

    run.process.kill('SIGINT')
    const { code, stdout } = await run.ended

    expect(code).toBe(3)
    expect(stdout).toMatch(/incomplete|interrupted/)
    for (const url of urls) await expect(fetch(`${url}/ok`)).rejects.toThrow('fetch failed')
  },
)

test.skipIf(missing && process.env['CI'] !== 'true')(
  `a killed run leaves no server behind${missing ? ` (${missing})` : ''}`,
  async () => {
    expect(missing).toBeUndefined()
    const run = startNode(['targets/third-party/run.ts', 'langgraph-js', '--report', await temporaryFolder()])
    const urls = (await run.firstLine).match(/http:\S+/g) ?? []

    run.process.kill('SIGKILL')
    await run.ended

    for (const url of urls) {
      await expect.poll(() => fetch(`${url}/ok`).catch(() => 'gone'), { timeout: 10_000 }).toBe('gone')
    }
  },
)
