import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderHtml } from '../../reporters/html/page.ts'
import { inTemporaryFolder } from '../../targets/processes.ts'
import { noChromium, startChromium } from '../../test/fixtures/chromium.ts'
import { recordedReport } from '../../test/fixtures/recorded-report.ts'
import { interleaved, type Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

/** A page without content, as the limit. */
const emptyPage = '<!doctype html><html lang="en"><title>empty</title><body><p>empty</p>'

/** The first paint of the HTML report. */
export const page: Measure = {
  name: 'page',
  explanation:
    'Time from opening the HTML report of a third-party server in Chromium to its first contentful paint, beside a page with one word.',
  run: async ({ quick, missing }) => {
    if (noChromium !== undefined) {
      missing(`page: ${noChromium}`)
      return []
    }
    return inTemporaryFolder(async (folder) => {
      const browser = await startChromium()
      try {
        const pages = [
          { name: 'empty', html: emptyPage },
          { name: 'js', html: renderHtml(await recordedReport('langgraph-js')) },
          { name: 'py', html: renderHtml(await recordedReport('langgraph-py')) },
        ]
        for (const { name, html } of pages) await writeFile(join(folder, `${name}.html`), html)
        const paints = await interleaved(pages, quick ? 2 : 15, async ({ name }) => {
          const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } })
          await tab.goto(pathToFileURL(join(folder, `${name}.html`)).href)
          const ms = await tab.evaluate<number>(firstPaint)
          await tab.close()
          return ms
        })
        const samples = (name: string): Samples => ({
          name: `page.${name}.first-paint`,
          unit: 'ms',
          values: paints.get(name) ?? [],
        })
        const reference = samples('empty')
        const reports = ['js', 'py'].map((name) => ({ ...samples(name), reference, goal: goal('value', '<=', 300) }))
        return [reference, ...reports]
      } finally {
        await browser.close()
      }
    })
  },
}

/** Runs in the page: the time of the first paint, which can come after the page has loaded. */
const firstPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true })
})`
