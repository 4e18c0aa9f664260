import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startNode } from '../fixtures/touchstone.ts'
import { checkout } from './pages.ts'

/** The built site of the documentation. */
export interface Site {
  /** Its URL, with a slash at the end. */
  readonly origin: string
  /**
   * Responds to the requests of a page with the files of the site. There is no server, because Chromium aborts requests
   * to a server when the network interfaces of the machine change, as they do when a container starts.
   */
  serve(page: Page): Promise<unknown>
  close(): Promise<void>
}

/** Builds the site into a temporary folder. */
export async function buildSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-site-'))
  const vitepress = join(checkout, 'node_modules/vitepress/bin/vitepress.js')
  const { code, stdout, stderr } = await startNode([vitepress, 'build', 'docs', '--outDir', folder], {
    env: { NODE_ENV: 'production' },
  }).ended
  if (code !== 0) throw new Error(`the site cannot be built: ${stdout}${stderr}`)
  const origin = 'http://touchstone.test/'
  return {
    origin,
    serve: (page) =>
      page.route(`${origin}**`, (route) => {
        const { pathname } = new URL(route.request().url())
        const path = join(folder, decodeURIComponent(pathname).replace(/\/$/, '/index.html'))
        return route.fulfill(existsSync(path) ? { path } : { status: 404 })
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
