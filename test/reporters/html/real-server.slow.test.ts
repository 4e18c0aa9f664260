import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderHtml } from '../../../reporters/html/render.ts'
import { noChromium } from '../../fixtures/chromium.ts'
import { recorded } from '../../fixtures/recorded.ts'
import { reportPages } from '../../fixtures/report-page.ts'

const js = await recorded('langgraph-js')
const pages = reportPages()

test.for(['langgraph-js', 'langgraph-py'] as const)(
  'the page of %s stays under 1 MB and shows what failed',
  async (peer) => {
    const report = await recorded(peer)
    const text = renderHtml(report)
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
    const failures = report.requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'MUST')
    for (const { id } of failures) expect(text).toContain(`<details class="card fail" id="${id}"`)
  },
)

describe.skipIf(noChromium !== undefined)(`the page of a real server${noChromium ? ` (${noChromium})` : ''}`, () => {
  beforeAll(pages.start)
  afterAll(pages.stop)

  test.for(['light', 'dark'] as const)('%s: accessible', async (colorScheme) => {
    expect(await pages.violations(await pages.open(js, '', { colorScheme }))).toEqual([])
  })

  test('at 360 pixels nothing has to be scrolled sideways', async () => {
    const page = await pages.open(js, '', { viewport: { width: 360, height: 800 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
