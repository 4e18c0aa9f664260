import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noChromium, startChromium } from '../fixtures/chromium.ts'
import { pages } from './pages.ts'
import { buildSite, type Site } from './site.ts'

const paths = (await pages())
  .filter((page) => page.startsWith('docs/'))
  .map((page) => page.slice('docs/'.length).replace(/(^|index)\.md$|\.md$/, (end) => (end === '.md' ? '.html' : '')))
  .map((path) => path.replace(/index$/, ''))
const samples = ['', 'guides/test-your-server.html', 'reference/verdicts.html', 'concepts/architecture.html']

describe.skipIf(noChromium !== undefined)('the site', () => {
  let browser: Browser
  let site: Site

  beforeAll(async () => {
    site = await buildSite()
    browser = await startChromium()
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Opens a page; a request to another origin, a missing file or an error of the page fails the test. */
  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser.newPage(options)
    await site.serve(page)
    const problems: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(site.origin) && !url.startsWith('data:')) problems.push(`requests ${url}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(`${site.origin}${path}`, { waitUntil: 'networkidle' })
    return { page, problems }
  }

  // One visit for all, without the scripts of the site, which take longer than the pages. The other tests run them.
  test('every link has a target, no page scrolls sideways at 390 pixels, and nothing is loaded from elsewhere', async () => {
    const anchors = new Map<string, Set<string>>()
    const links: { from: string; path: string; anchor: string }[] = []
    const wide: string[] = []
    const { page, problems } = await open('', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
    for (const path of paths) {
      // Without its style sheet, which may load after the document, a page is wider.
      await page.goto(`${site.origin}${path}`, { waitUntil: 'load' })
      await page.waitForSelector('#app .VPContent')
      anchors.set(path, new Set(await idsOf(page)))
      const width: number = await page.evaluate('document.documentElement.scrollWidth')
      if (width > 390) wide.push(`${path}: ${width}`)
      for (const href of await hrefsOf(page)) {
        const url = new URL(href)
        if (url.origin !== new URL(site.origin).origin) continue
        const target = { path: url.pathname.slice(1), anchor: decodeURIComponent(url.hash.slice(1)) }
        links.push({ from: path, ...target })
      }
    }

    expect(links.length).toBeGreaterThan(1000)
    const broken = links.filter(({ path, anchor }) => {
      const ids = anchors.get(path)
      return ids === undefined || (anchor !== '' && !ids.has(anchor))
    })
    expect([...new Set(broken.map(({ from, path, anchor }) => `${from}: ${path}#${anchor}`))]).toEqual([])
    expect(wide).toEqual([])
    expect(problems).toEqual([])
  })

  test.for(['light', 'dark'] as const)('axe finds nothing in %s mode', async (colorScheme) => {
    const violations: string[] = []
    for (const path of samples) {
      const { page, problems } = await open(path, { colorScheme, viewport: { width: 1280, height: 900 } })
      await page.evaluate(axe.source)
      const result: axe.AxeResults = await page.evaluate('axe.run()')
      for (const { id, nodes } of result.violations)
        violations.push(`${path} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
      expect(problems).toEqual([])
      await page.close()
    }
    expect(violations).toEqual([])
  })

  test('the diagram of the architecture is drawn', async () => {
    const { page, problems } = await open('concepts/architecture.html', { viewport: { width: 390, height: 844 } })
    await page.waitForSelector('.diagram svg')
    expect(await page.locator('.diagram').innerText()).toContain('mock-server')
    expect(problems).toEqual([])
  })

  test('the search finds a page', async () => {
    const { page, problems } = await open('', { viewport: { width: 1280, height: 900 } })
    await page.keyboard.press('Control+k')
    // The box loads after the keys: text typed before it is there is lost.
    await page.locator('.VPLocalSearchBox input').fill('baseline entry')
    await page.waitForSelector('.VPLocalSearchBox .result')
    // Results follow the text as it is typed; the first one of the whole text is the page.
    await page.waitForFunction("document.querySelector('.VPLocalSearchBox .result')?.href.includes('baselines')")
    expect(problems).toEqual([])
  })
})

const idsOf = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)")
const hrefsOf = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('a[href]')].map(({ href }) => href)")
