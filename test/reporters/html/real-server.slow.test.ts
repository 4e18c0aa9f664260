import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderHtml } from '../../../reporters/html/page.ts'
import { renderMarkdown } from '../../../reporters/markdown.ts'
import type { RequirementResult } from '../../../reporters/model/report.ts'
import { isFailedMust } from '../../../reporters/model/verdict.ts'
import { noChromium } from '../../fixtures/chromium.ts'
import { recordedReport } from '../../fixtures/recorded-report.ts'
import { reportPages } from '../../fixtures/report-page.ts'

const javascriptServer = await recordedReport('langgraph-js')
const pages = reportPages()

test.for(['langgraph-js', 'langgraph-js-2', 'langgraph-py'] as const)(
  'keeps the page of %s under 300 KB and its summary below 60,000 characters, with all failures',
  async (server) => {
    const report = await recordedReport(server)
    const text = renderHtml(report)
    expect(Buffer.byteLength(text)).toBeLessThan(300_000)
    const summary = renderMarkdown(report)
    expect(summary.length).toBeLessThan(60_000)
    for (const { id } of report.requirements.filter(isFailedMust)) {
      expect(text).toMatch(new RegExp(`<(?:details class="card fail"|li) id="${id}"`))
      expect(summary).toContain(`\`${id}\``)
    }
  },
)

test('keeps the page of a server on which one failure blocks all other requirements under 500 KB', () => {
  const [root = '', ...others] = javascriptServer.requirements.flatMap(({ id, coverage, outcomes }) =>
    coverage === 'tested' && outcomes.length > 0 ? [id] : [],
  )
  const requirements = javascriptServer.requirements.map((requirement): RequirementResult => {
    const { id, outcomes } = requirement
    if (id === root)
      return { ...requirement, verdict: 'fail', outcomes: outcomes.map((outcome) => ({ ...outcome, verdict: 'fail' })) }
    if (!others.includes(id)) return requirement
    const blocked = { verdict: 'blocked', blockedBy: root } as const
    return { ...requirement, verdict: 'blocked', outcomes: outcomes.map((outcome) => ({ ...outcome, ...blocked })) }
  })
  const report = { ...javascriptServer, requirements }

  expect(Buffer.byteLength(renderHtml(report))).toBeLessThan(500_000)
  expect(renderHtml(report)).toContain(`fixing this unblocks <b>${others.length}</b>`)
  expect(renderMarkdown(report).length).toBeLessThan(60_000)
})

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

  test.for([
    [1440, 900],
    [390, 844],
  ])('shows the first cause on the first screen of %d x %d pixels', async ([width = 0, height = 0]) => {
    const page = await pages.open(javascriptServer, '', { viewport: { width, height } })
    expect(await page.locator('#failures .cause-text').first().isVisible()).toBe(true)
    const box = await page.locator('#failures .cause-text').first().boundingBox()
    expect(box?.y).toBeLessThan(height - 24)
    const strip = await page.locator('#tested > summary').boundingBox()
    expect(strip?.height).toBeLessThan(2 * 24)
  })

  test('does not scroll sideways at 360 pixels', async () => {
    const page = await pages.open(javascriptServer, '', { viewport: { width: 360, height: 800 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
