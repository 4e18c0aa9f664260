import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderFailure } from '../../docs/.vitepress/failure.ts'
import { renderLivePage } from '../../docs/.vitepress/live-page.ts'
import { noChromium, startChromium } from '../fixtures/chromium.ts'
import { checkout } from './pages.ts'

const folder = join(checkout, 'docs/images')

test.skipIf(noChromium !== undefined)(
  'the pictures show what a run prints and reports today; otherwise run `npm run docs:images`',
  { timeout: 120_000 },
  async () => {
    const browser = await startChromium()
    try {
      const { console, reportText } = await renderFailure(browser)
      expect(console).toContain('>Not conformant')
      expect(console).toBe(await readFile(join(folder, 'console.svg'), 'utf8'))
      expect(reportText).toBe(await readFile(join(folder, 'report-failure.txt'), 'utf8'))
      const { text } = await renderLivePage(browser)
      expect(text).toBe(await readFile(join(folder, 'live-page.txt'), 'utf8'))
    } finally {
      await browser.close()
    }
  },
)

test('the pictures are small', async () => {
  const sizes = ['console.svg', 'report-failure.png', 'live-page.png'].map(
    async (name) => (await stat(join(folder, name))).size,
  )

  expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(150_000)
})
