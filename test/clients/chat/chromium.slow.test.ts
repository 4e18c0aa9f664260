import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { noChromium, startChromium } from '../../fixtures/chromium.ts'
import { buildPage, openInChromium, tracedContext } from './chromium.ts'
import { scenarios } from './scenarios.ts'

describe.skipIf(noChromium !== undefined)(`the chat page in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  let browser: Browser
  let page: string

  beforeAll(async () => {
    browser = await startChromium()
    page = await buildPage()
  })
  afterAll(() => browser?.close())

  // The tests in jsdom use the other dialects.
  test.each(Object.entries(scenarios))('%s', async (_title, use) => {
    await use({ dialect: 'spec', open: await openInChromium(page, await tracedContext(browser)) })
  })
})
