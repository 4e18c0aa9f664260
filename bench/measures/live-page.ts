import type { Browser, Page } from 'playwright-core'
import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { noChromium, startChromium } from '../../test/fixtures/chromium.ts'
import { interleaved, type Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const MEGABYTE = 1_000_000
const sizes = [
  { name: 'few', requests: 100 },
  { name: 'many', requests: 10_000 },
] as const

/** The live page with a long list of requests. */
export const livePage: Measure = {
  name: 'live-page',
  explanation:
    'The live page of the mock server in Chromium, with 100 requests (few) and with 10,000 (many), while its list is scrolled by half its height in every frame: the time of a frame that 95 of 100 frames do not exceed, and the JavaScript heap after garbage collection.',
  run: async ({ quick, missing }) => {
    if (noChromium !== undefined) {
      missing(`live-page: ${noChromium}`)
      return []
    }
    const browser = await startChromium()
    try {
      const frames = quick ? 60 : 300
      const rounds = await interleaved(sizes, quick ? 1 : 7, ({ requests }) => scroll(browser, requests, frames))
      const samples = (name: string, part: 'frame' | 'heap'): Samples => ({
        name: `live-page.${name}.${part}`,
        unit: part === 'frame' ? 'ms' : 'MB',
        values: (rounds.get(name) ?? []).map((round) => round[part]),
      })
      return (['frame', 'heap'] as const).flatMap((part) => {
        const reference = samples('few', part)
        const bound = part === 'frame' ? goal('value', '<=', 34) : goal('value', '<=', 30)
        return [reference, { ...samples('many', part), reference, goal: bound }]
      })
    } finally {
      await browser.close()
    }
  },
}

async function scroll(browser: Browser, requests: number, frames: number): Promise<{ frame: number; heap: number }> {
  const mock = createMockServer({ journal: { maxEntries: requests, maxBytes: 64 * 2 ** 20 } })
  const server = await listen(mock, { port: 0, ui: true })
  try {
    for (let number = 0; number < requests; number++) await mock.fetch(`/ok?n=${number}`)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${server.url}/__touchstone/`)
    await page.getByText(`${requests.toLocaleString('en-US')} requests`, { exact: true }).waitFor()
    const times = await page.evaluate<number[]>(`(${frameTimes})(${frames})`)
    const frame = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
    const heap = (await heapOf(page)) / MEGABYTE
    await page.close()
    return { frame, heap }
  } finally {
    await server.close()
    await mock.close()
  }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

/** Runs in the page: the milliseconds of each frame while the list is scrolled. */
const frameTimes = `(frames) => new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]')
  const times = []
  let last
  const step = (now) => {
    if (last !== undefined) times.push(now - last)
    last = now
    if (times.length === frames) return resolve(times)
    const end = list.scrollHeight - list.clientHeight
    list.scrollTop = list.scrollTop >= end ? 0 : list.scrollTop + list.clientHeight / 2
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
