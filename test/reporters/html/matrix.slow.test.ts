import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderMatrix } from '../../../reporters/html/matrix.ts'
import { renderJson } from '../../../reporters/json.ts'
import { emptyMatrix, withReport } from '../../../reporters/matrix/matrix.ts'
import type { Report } from '../../../reporters/model/report.ts'
import { noChromium } from '../../fixtures/chromium.ts'
import { recordedReport } from '../../fixtures/recorded-report.ts'
import { reportPages } from '../../fixtures/report-page.ts'
import { exampleReport, reportOf, requirement } from '../example-report.ts'

const pages = reportPages()
const recorded = await Promise.all((['langgraph-js', 'langgraph-js-2', 'langgraph-py'] as const).map(recordedReport))
const html = renderMatrix(recorded.reduce((matrix, report) => withReport(matrix, report), emptyMatrix))
const failure = '#run.fields.multitask_strategy.default--langgraph-api-0-16-7'
const status = (page: Page) => page.locator('#status').textContent()

async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], '${name}')); return data })()`,
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

describe.skipIf(noChromium !== undefined)(`the matrix in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  beforeAll(pages.start)
  afterAll(pages.stop)

  test.for([
    ['light', 1440],
    ['dark', 390],
  ] as const)('is accessible and does not scroll sideways: %s, %d pixels', async ([colorScheme, width]) => {
    const viewport = { width, height: 844 }
    for (const hash of ['', '#?rows=differ', failure]) {
      const page = await pages.openHtml(html, hash, { colorScheme, viewport })
      expect(await pages.violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  test('creates the rows of a section when it is opened', async () => {
    const page = await pages.openHtml(html)
    expect(await page.locator('.matrix th[scope=row]').count()).toBe(0)
    await page.getByRole('button', { name: /Thread state/ }).click()
    const row = page.getByRole('row', { name: /^state\.fields\.checkpoint_id\.present/ })
    expect(await row.getByRole('link').allTextContents()).toEqual([
      expect.stringMatching('checkpoint_id'),
      'fail',
      'fail',
      'pass',
    ])
    await page.getByRole('button', { name: /Thread state/, expanded: true }).press('Enter')
    expect(await row.count()).toBe(0)
  })

  test('filters by text, by verdict and by difference, and keeps the filters in the URL', async () => {
    const page = await pages.openHtml(html)
    await page.keyboard.press('/')
    await page.keyboard.type('multitask_strategy.default')
    expect(await status(page)).toMatch(/^1 of \d+ rows$/)
    expect(await page.locator('.matrix th[scope=row]').count()).toBe(1)
    await page.getByText('Verdict', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'blocked' }).check()
    expect(await page.getByText('No requirement matches.').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'fail', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Only rows that differ' }).check()
    const { hash } = new URL(page.url())
    expect(hash).toBe('#?rows=differ&verdict=fail')
    const again = await pages.openHtml(html, hash)
    expect(await status(again)).toBe(await status(page))
    expect(await again.getByRole('checkbox', { name: 'fail', exact: true }).isChecked()).toBe(true)
  })

  test('opens the cell in the URL, and puts an opened cell into the URL', async () => {
    const page = await pages.openHtml(html, failure)
    const detail = page.locator('.detail')
    expect(await page.locator(':focus').textContent()).toBe('fail')
    expect(await detail.textContent()).toContain('received "enqueue"')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toMatch(/default--langchain-langgraph-api-2-0-0$/)
    await expect.poll(() => detail.textContent()).toContain('@langchain/langgraph-api 2.0.0')
    expect(await detail.count()).toBe(1)
  })

  test('adds a report of the reader without a request, and says what is wrong with another file', async () => {
    const page = await pages.openHtml(html)
    const own: Report = { ...exampleReport, target: { ...exampleReport.target, name: '<img src=x>' } }
    const message = page.locator('#drop-status')
    await drop(page, 'mine.json', renderJson(own))
    await expect.poll(() => message.textContent()).toMatch(/^mine\.json is the first column\./)
    expect(await page.locator('.matrix thead th').nth(1).textContent()).toMatch(/^<img src=x> 1\.2\.0.*your report$/)
    await drop(page, 'package.json', '{"version":"1.0.0"}')
    await expect.poll(() => message.textContent()).toMatch(/^package\.json: expected the report\.json of a run/)
    await drop(page, 'half.json', '{"version":2}')
    await expect.poll(() => message.textContent()).toMatch(/^half\.json is not a valid report\./)
    const tolerated = renderJson(reportOf([requirement('a', 'pass'), requirement('b', 'expected-fail')]))
    await page.setInputFiles('#file', { name: 'again.json', mimeType: '', buffer: Buffer.from(tolerated) })
    await expect.poll(() => page.locator('.matrix thead th').count()).toBe(6)
    expect(await page.locator('.matrix .result').first().textContent()).toBe('Conformant, 1 known failure')
  })

  test('says where the data is without scripts', async () => {
    const page = await pages.openHtml(html, '', { javaScriptEnabled: false })
    expect(await page.getByText('This page needs JavaScript.').isVisible()).toBe(true)
    expect(await page.getByRole('search').isVisible()).toBe(false)
  })
})
