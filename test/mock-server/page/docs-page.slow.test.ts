import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noChromium, startChromium } from '../../fixtures/chromium.ts'
import { openPage, serveWithPage } from '../../fixtures/live-page.ts'
import { violations } from '../../fixtures/report-page.ts'

describe.skipIf(noChromium !== undefined)(`/docs in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test('the live page links to it', async () => {
    const { url } = await serveWithPage()
    const page = await openPage(browser, url)
    const [docs] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'API description' }).click(),
    ])
    await docs.getByRole('heading', { name: 'POST /threads/{thread_id}/runs/stream' }).waitFor()
  })

  test('a link to an operation opens it, without scripts', async () => {
    const { server } = await serveWithPage()
    const page = await openPage(browser, `${server.url}/docs#postThreads`, { javaScriptEnabled: false })
    const operation = page.locator('details', { has: page.locator('#postThreads') })
    expect(await operation.getByText('Create a thread').isVisible()).toBe(true)
    expect(await operation.getByText(`curl -X POST '${server.url}/threads'`).isVisible()).toBe(true)
    const schema = page.getByRole('table', { name: 'Fields of Thread', exact: true })
    expect(await schema.isVisible()).toBe(false)
    await operation.getByRole('link', { name: 'Thread', exact: true }).click()
    expect(await schema.isVisible()).toBe(true)
  })

  test.each(['light', 'dark'] as const)('is accessible and fits a phone, %s', async (colorScheme) => {
    const { server } = await serveWithPage()
    const page = await openPage(browser, `${server.url}/docs`, { colorScheme })
    await page.evaluate(
      `for (const id of ['postThreadsThreadIdRuns', 'patchApiV1BulkExportsDestinationsDestinationId', 'schema-Thread']) document.getElementById(id).parentElement.open = true`,
    )
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await violations(page)).toEqual([])
    await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`)
    const widths = "[document.documentElement, document.querySelector('main')].map((each) => each.scrollWidth)"
    expect(await page.evaluate(widths)).toEqual([390, 390])
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(844)
  })
})
