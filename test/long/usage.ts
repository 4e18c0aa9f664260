import { fileURLToPath } from 'node:url'
import { startNode } from '../fixtures/process.ts'

// Otherwise V8 takes what a large machine offers, and takes it by its own rules: resident memory would tell little of what
// the server holds. A server that leaks runs out of this.
const NODE_OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=128', '--expose-gc']
const SERVER = fileURLToPath(new URL('server.ts', import.meta.url))

/** Memory that a server holds after it has collected its garbage, in bytes, and the errors that it threw. */
interface Usage {
  readonly rss: number
  readonly heapUsed: number
  readonly errors: number
}

/** A server in a process of its own. */
export interface WatchedServer {
  readonly url: string
  usage(): Promise<Usage>
  /** The same once everything that the server keeps has been forgotten. */
  forget(): Promise<Usage>
  close(): Promise<void>
}

/** Starts a mock server with a small heap, whose memory can be asked for; with a limit of its own for slow readers. */
export async function startWatched(maxEventsBehind?: number): Promise<WatchedServer> {
  const limit = maxEventsBehind === undefined ? [] : [String(maxEventsBehind)]
  const server = startNode([...NODE_OPTIONS, SERVER, ...limit])
  const url = (await server.firstLine).trim()
  return {
    url,
    usage: () => ask(`${url}/__usage`),
    forget: () => ask(`${url}/__forget`),
    close: async () => {
      server.process.kill('SIGTERM')
      await server.ended
    },
  }
}

async function ask(url: string): Promise<Usage> {
  return (await (await fetch(url)).json()) as Usage
}

/** Bytes as text. */
export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
