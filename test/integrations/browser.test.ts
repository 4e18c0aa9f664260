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

/** The setup code of a web client in its development build. */
const development = `
import { setupWorker } from 'msw/browser'
import { createMockServer } from 'touchstone'
import { handlers } from 'touchstone/msw'

const mock = createMockServer()
const worker = setupWorker(...handlers(mock, { url: 'http://agent.test' }))
await worker.start({ quiet: true })
`

/** The same code with gated graphs. The bundle is a classic script, which has no top-level await. */
const source = `
import { gatedGraphs } from './test/fixtures/gated-graphs.ts'

export * from './test/fixtures/integration-clients.ts'
export const gated = gatedGraphs()
${development.replace('createMockServer()', 'createMockServer({ graphs: gated.graphs })').replace('await ', 'export const started = ')}
`

describe.skipIf(noChromium !== undefined)(`a mock server inside a page${noChromium ? ` (${noChromium})` : ''}`, () => {
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
    const site = await httpServer((request, response) => {
      const isWorker = request.url === '/mockServiceWorker.js'
      response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html')
      response.end(isWorker ? worker : '<!doctype html>')
    })
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(site)
    await page.addScriptTag({ content: script })
    await page.evaluate('client.started')
    return page
  }

  test('serves the public SDK through the service worker of msw', async () => {
    const page = await open()

    expect(await page.evaluate(`client.talk('${url}')`)).toEqual(['hello', 'first: hello', 'second: hello'])
  })

  test('delivers a stream event by event', async () => {
    const page = await open()

    const nodes = await page.evaluate(`client.watch('${url}', client.gated, fetch)`)
    expect(nodes).toEqual([['before'], ['before', 'wait', 'after']])
  })

  test('stops a run when the client disconnects', async () => {
    const page = await open()

    await page.evaluate(`client.leave('${url}', client.gated)`)
  })

  test('returns 501 for exports because they require Node.js', async () => {
    const page = await open()

    const response = await page.evaluate(
      `fetch('${url}/api/v1/bulk-exports').then(async (response) => [response.status, await response.json()])`,
    )
    expect(response).toEqual([501, { detail: expect.stringContaining('requires Node.js') }])
  })
})
