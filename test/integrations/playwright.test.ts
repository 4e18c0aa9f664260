import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routeTo } from '../../mock-server/adapters/playwright.ts'
import { noChromium, startChromium } from '../fixtures/chromium.ts'
import { clientPage } from '../fixtures/client-page.ts'
import { gatedMock } from '../fixtures/gated-mock.ts'

const url = 'http://agent.test'

describe.skipIf(noChromium !== undefined)(`a page in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  /** Opens a web client whose requests are routed to a mock server. */
  async function open(at = url): Promise<{ page: Page; gated: ReturnType<typeof gatedMock> }> {
    const gated = gatedMock()
    const page = await clientPage(await browser.newContext())
    const routed = await routeTo(page, gated.mock, { url: at })
    onTestFinished(async () => {
      await routed.close()
      await page.context().close()
    })
    return { page, gated }
  }

  test('serves the public SDK', async () => {
    const { page } = await open()

    expect(await page.evaluate(`client.talk('${url}')`)).toEqual(['hello', 'first: hello', 'second: hello'])
  })

  test('delivers a stream event by event', async () => {
    const { page, gated } = await open()
    await page.exposeFunction('openGate', gated.open)

    const nodes = await page.evaluate(`client.watch('${url}', { open: openGate }, fetch)`)
    expect(nodes).toEqual([['before'], ['before', 'wait', 'after']])
  })

  test('stops a run when the page leaves its stream', async () => {
    const { page, gated } = await open()
    await page.exposeFunction('stopped', () => gated.stopped)

    await page.evaluate(`client.leave('${url}', { stopped: stopped() })`)
  })

  test('stops a run when the page is closed', async () => {
    const { page, gated } = await open()
    await page.exposeFunction('openGate', () => page.close())

    await expect(page.evaluate(`client.watch('${url}', { open: openGate }, fetch, 'cancel')`)).rejects.toThrow('closed')
    await gated.stopped
  })

  test('routes a whole browser context and a base URL with a path', async () => {
    const page = await clientPage(await browser.newContext())
    const routed = await routeTo(page.context(), gatedMock().mock, { url: `${url}/api` })
    onTestFinished(() => page.context().close())

    expect(await page.evaluate(`client.talk('${url}/api')`)).toEqual(['hello', 'first: hello', 'second: hello'])
    await routed.close()
    await expect(page.evaluate(`fetch('${url}/api/ok')`)).rejects.toThrow('Failed to fetch')
  })

  test('rejects an https URL, because Playwright cannot change the protocol', async () => {
    const page = await clientPage(await browser.newContext())
    onTestFinished(() => page.context().close())

    await expect(routeTo(page, gatedMock().mock, { url: 'https://agent.test' })).rejects.toThrow(
      'Expected a url that starts with http:, received https://agent.test',
    )
  })
})
