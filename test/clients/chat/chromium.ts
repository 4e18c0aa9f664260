import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContext } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { httpServer } from '../../fixtures/http-server.ts'
import type { OpenTab } from './tab.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Returns the page as HTML with its script. */
export async function buildPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.tsx')],
    bundle: true,
    write: false,
    charset: 'utf8',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Support</title>
<body><script>${script}</script></body>
</html>`
}

/** Serves the page until the test ends, and opens it in tabs of a browser context. */
export async function openInChromium(html: string, context: BrowserContext): Promise<OpenTab> {
  const site = await httpServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  return async (apiUrl, threadId) => {
    const page = await context.newPage()
    await page.goto(`${site}/?${new URLSearchParams({ api: apiUrl, ...(threadId && { thread: threadId }) })}`)
    return {
      texts: (selector) => page.locator(selector).allTextContents(),
      type: async (label, text) => {
        const field = page.getByLabel(label)
        await field.fill(text)
        await field.press('Enter')
      },
      click: (text) => page.getByRole('button', { name: text, exact: true }).last().click(),
      threadId: () => new URL(page.url()).searchParams.get('thread') ?? undefined,
    }
  }
}

/** Opens a browser context. Its Playwright trace is kept if the test fails, or if KEEP_TRACES is set. */
export async function tracedContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.tracing.start({ screenshots: true, snapshots: true })
  onTestFinished(async ({ task }) => {
    const isKept = task.result?.state === 'fail' || process.env['KEEP_TRACES'] !== undefined
    const name = `${task.suite?.name}, ${task.name}`.replaceAll(/\W+/g, '-')
    await context.tracing.stop(isKept ? { path: join('test-results', `${name}.zip`) } : {})
    await context.close()
  })
  return context
}
