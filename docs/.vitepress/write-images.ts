import { writeFile } from 'node:fs/promises'
import { startChromium } from '../../test/fixtures/chromium.ts'
import { renderFailure } from './failure.ts'

// Run by `npm run docs:images`: the pictures of README and the home page, from a real run.
const browser = await startChromium()
try {
  const { console, report, reportText } = await renderFailure(browser)
  const folder = new URL('../images/', import.meta.url)
  await writeFile(new URL('console.svg', folder), console)
  await writeFile(new URL('report-failure.png', folder), report)
  await writeFile(new URL('report-failure.txt', folder), reportText)
} finally {
  await browser.close()
}
