import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderHtml } from '../../../reporters/html/page.ts'
import { noChromium } from '../../fixtures/chromium.ts'
import { recordedReport } from '../../fixtures/recorded-report.ts'
import { reportPages } from '../../fixtures/report-page.ts'

const javascriptServer = await recordedReport('langgraph-js')
const pages = reportPages()

test.for(['langgraph-js', 'langgraph-py'] as const)(
  'keeps the page of %s under 1 MB and shows all failures',
  async (server) => {
    const report = await recordedReport(server)
    const text = renderHtml(report)
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
    const failures = report.requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'MUST')
    for (const { id } of failures) expect(text).toContain(`<details class="card fail" id="${id}"`)
  },
)

describe.skipIf(noChromium !== undefined)(`the page of a real server${noChromium ? ` (${noChromium})` : ''}`, () => {
  beforeAll(pages.start)
  afterAll(pages.stop)

  test('is accessible', async () => {
    expect(await pages.violations(await pages.open(javascriptServer))).toEqual([])
  })

  test('has enough contrast in the dark theme', async () => {
    const page = await pages.open(javascriptServer, '', { colorScheme: 'dark' })
    expect(await pages.violations(page, ['color-contrast'])).toEqual([])
  })

  test('does not scroll sideways at 360 pixels', async () => {
    const page = await pages.open(javascriptServer, '', { viewport: { width: 360, height: 800 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
