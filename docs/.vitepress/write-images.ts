import { writeFile } from 'node:fs/promises'
import { startChromium } from '../../test/fixtures/chromium.ts'
import { renderFailure } from './failure.ts'
import { renderLivePage } from './live-page.ts'

// Run by `npm run docs:images`: the pictures of README, the home page and the guides, from real runs.
const browser = await startChromium()
try {
  const { console, report, reportText } = await renderFailure(browser)
  const folder = new URL('../images/', import.meta.url)
  await writeFile(new URL('console.svg', folder), console)
  await writeFile(new URL('report-failure.png', folder), report)
  await writeFile(new URL('report-failure.txt', folder), reportText)
  const livePage = await renderLivePage(browser)
  await writeFile(new URL('live-page.png', folder), livePage.png)
  await writeFile(new URL('live-page.txt', folder), livePage.text)
} finally {
  await browser.close()
}
