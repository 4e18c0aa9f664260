import { fileURLToPath } from 'node:url'
import { startNode } from '../fixtures/touchstone.ts'

// Without limits, V8 uses as much memory as the machine offers, and resident memory does not show leaks.
const NODE_OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=128', '--expose-gc']
const SERVER = fileURLToPath(new URL('server.ts', import.meta.url))

/** Memory of a server after garbage collection, in bytes, and the number of its errors. */
interface Usage {
  readonly rss: number
  readonly heapUsed: number
  readonly errors: number
}

/** A server in its own process. */
export interface WatchedServer {
  readonly url: string
  usage(): Promise<Usage>
  /** Resets the server, then measures its memory. */
  reset(): Promise<Usage>
  close(): Promise<void>
}

/** Starts a mock server with a small heap that reports its memory. */
export async function startWatched(maxEventsBehind?: number): Promise<WatchedServer> {
  const limit = maxEventsBehind === undefined ? [] : [String(maxEventsBehind)]
  const server = startNode([...NODE_OPTIONS, SERVER, ...limit])
  const url = (await server.firstLine).trim()
  return {
    url,
    usage: () => usageAt(`${url}/__usage`),
    reset: () => usageAt(`${url}/__forget`),
    close: async () => {
      server.process.kill('SIGTERM')
      await server.ended
    },
  }
}

async function usageAt(url: string): Promise<Usage> {
  return (await (await fetch(url)).json()) as Usage
}

/** Formats bytes in MiB. */
export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
