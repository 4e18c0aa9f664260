import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { startNode } from '../fixtures/touchstone.ts'
import { checkout } from './pages.ts'

/** The built site of the documentation, served on a free port. */
export interface Site {
  /** Its URL, with a slash at the end. */
  readonly origin: string
  close(): Promise<void>
}

/** Builds the site into a temporary folder and serves it. */
export async function buildSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-site-'))
  const vitepress = join(checkout, 'node_modules/vitepress/bin/vitepress.js')
  const { code, stdout, stderr } = await startNode([vitepress, 'build', 'docs', '--outDir', folder], {
    env: { NODE_ENV: 'production' },
  }).ended
  if (code !== 0) throw new Error(`the site cannot be built: ${stdout}${stderr}`)
  const server = createServer((request, response) => void respond(folder, request.url ?? '', response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

async function respond(folder: string, url: string, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(new URL(url, 'http://site').pathname).replace(/\/$/, '/index.html')
  try {
    const content = await readFile(join(folder, path))
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content)
  } catch {
    response.writeHead(404).end()
  }
}
