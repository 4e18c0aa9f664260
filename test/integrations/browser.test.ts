import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { noChromium, startChromium } from '../fixtures/chromium.ts'
import { bundle } from '../fixtures/client-page.ts'
import { httpServer } from '../fixtures/http-server.ts'
import { copyCheckout } from '../fixtures/package.ts'

const url = 'http://agent.test'

/** What a web client writes into its development build. */
const development = `
import { setupWorker } from 'msw/browser'
import { createMockServer } from 'touchstone'
import { handlers } from 'touchstone/msw'

const mock = createMockServer()
const worker = setupWorker(...handlers(mock, { url: 'http://agent.test' }))
await worker.start({ quiet: true })
`

/** The same, with graphs that wait for the test; bundlers know no await at the top of a script. */
const source = `
import { gatedGraphs } from './test/fixtures/gated-graphs.ts'

export * from './test/fixtures/integration-clients.ts'
export const gated = gatedGraphs()
${development.replace('createMockServer()', 'createMockServer({ graphs: gated.graphs })').replace('await ', 'export const started = ')}
`

describe.skipIf(noChromium !== undefined)(`a mock inside a page${noChromium ? ` (${noChromium})` : ''}`, () => {
  let browser: Browser
  let folder: string
  let script: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchstone-page-'))
    script = await bundle(source, await copyCheckout(join(folder, 'checkout')))
    browser = await startChromium()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  async function open(): Promise<Page> {
    const worker = await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')))
    const site = await httpServer((request, answer) => {
      const isWorker = request.url === '/mockServiceWorker.js'
      answer.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html')
      answer.end(isWorker ? worker : '<!doctype html>')
    })
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(site)
    await page.addScriptTag({ content: script })
    await page.evaluate('client.started')
    return page
  }

  test('the public SDK talks to it through the service worker of msw', async () => {
    const page = await open()

    expect(await page.evaluate(`client.talk('${url}')`)).toEqual(['hello', 'first: hello', 'second: hello'])
  })

  test('a stream comes event by event', async () => {
    const page = await open()

    const heard = await page.evaluate(`client.watch('${url}', client.gated, fetch)`)
    expect(heard).toEqual([['before'], ['before', 'wait', 'after']])
  })

  test('it sees a client that leaves', async () => {
    const page = await open()

    await page.evaluate(`client.leave('${url}', client.gated)`)
  })

  test('it says that exports need Node', async () => {
    const page = await open()

    const answer = await page.evaluate(
      `fetch('${url}/api/v1/bulk-exports').then(async (answer) => [answer.status, await answer.json()])`,
    )
    expect(answer).toEqual([501, { detail: expect.stringContaining('needs Node') }])
  })
})
