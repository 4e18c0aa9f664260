import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { register } from '../../../suites/catalog/catalog.ts'
import { requirementIds } from '../../../suites/catalog/generated/ids.ts'
import { parseBaseline } from '../../../suites/runner/baseline.ts'
import { peers } from '../../../targets/third-party/all.ts'
import { baselineOf } from '../../../targets/third-party/judge.ts'
import { recorded } from '../../fixtures/recorded.ts'

test.each(peers)('the baseline of $name knows every failure of its recorded report, and no other row', async (peer) => {
  const { requirements } = await recorded(peer.name)
  const baseline = await baselineFor(peer)

  const failing = requirements.filter(({ verdict }) => ['fail', 'blocked', 'could-not-run'].includes(verdict))
  const steady = Object.keys(baseline).filter((id) => baseline[id]?.intermittent !== true)

  expect(failing.length).toBeGreaterThan(0)
  expect(failing.map(({ id }) => id).filter((id) => !(id in baseline))).toEqual([])
  expect(steady.filter((id) => !failing.some((row) => row.id === id))).toEqual([])
})

test.each(peers)('every entry of the baseline of $name names the section of the document', async (peer) => {
  for (const [id, { reason }] of Object.entries(await baselineFor(peer))) {
    const section = register
      .find((row) => row.id === id)
      ?.section.split(' / ')
      .at(-1)
    expect(reason, id).toContain(`Section "${section}"`)
  }
})

async function baselineFor(peer: (typeof peers)[number]) {
  const file = baselineOf(peer)
  return parseBaseline(await readFile(file, 'utf8'), file, new Set(requirementIds))
}
