import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { catalog } from '../../../suites/catalog/catalog.ts'
import { requirementIds } from '../../../suites/catalog/generated/ids.ts'
import { parseBaseline } from '../../../suites/evaluate/baseline.ts'
import { baselineFile, type ThirdPartyServer, thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { recordedReport } from '../../fixtures/recorded-report.ts'

test.each(thirdPartyServers)(
  'the baseline of $name lists exactly the failures of its recorded report',
  async (server) => {
    const { requirements } = await recordedReport(server.name)
    const baseline = await readBaseline(server)

    const failing = requirements.filter(({ verdict }) => ['fail', 'blocked', 'inconclusive'].includes(verdict))
    const steady = Object.keys(baseline).filter((id) => baseline[id]?.intermittent !== true)

    expect(failing.length).toBeGreaterThan(0)
    expect(failing.map(({ id }) => id).filter((id) => !(id in baseline))).toEqual([])
    expect(steady.filter((id) => !failing.some((each) => each.id === id))).toEqual([])
  },
)

test.each(thirdPartyServers)('every baseline entry of $name names its section of the specification', async (server) => {
  for (const [id, { reason }] of Object.entries(await readBaseline(server))) {
    const section = catalog
      .find((requirement) => requirement.id === id)
      ?.section.split(' / ')
      .at(-1)
    expect(reason, id).toContain(`Section "${section}"`)
  }
})

async function readBaseline(server: ThirdPartyServer) {
  const file = baselineFile(server)
  return parseBaseline(await readFile(file, 'utf8'), file, new Set(requirementIds))
}
