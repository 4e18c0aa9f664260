import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, keepTail } from '../processes.ts'
import type { ThirdPartyServer } from './servers.ts'

/** A server that listens on the loopback interface. */
export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** Maximum time in milliseconds until a server responds; Python compiles its modules on the first start. */
const startTimeoutMs = 60_000

const wrapper = fileURLToPath(new URL('run-until-stdin-closes.ts', import.meta.url))

/**
 * Serves the test graphs with a third-party server until `close` is called or this process ends, for any reason.
 *
 * The server runs in a temporary working directory with a copy of the test graphs, where it also keeps its state. Files
 * of the folder `overlay` replace those of the test graphs.
 */
export async function serve(
  server: ThirdPartyServer,
  configuration: 'langgraph.json' | 'langgraph.custom-auth.json',
  overlay?: string,
): Promise<RunningServer> {
  const work = await mkdtemp(join(tmpdir(), 'touchstone-'))
  await cp(server.testGraphs, work, { recursive: true })
  if (overlay !== undefined) await cp(overlay, work, { recursive: true })
  await server.prepare(work)
  const port = await freePort()
  const child = spawn(process.execPath, [wrapper, ...server.serve(configuration, port)], {
    cwd: work,
    env: { ...process.env, LANGSMITH_TRACING: 'false', LOG_LEVEL: 'error' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Signals of the terminal must not end the server before the last request of the tests.
    detached: true,
  })
  const tail = keepTail(child.stdout, child.stderr)
  const ended = once(child, 'exit')
  const close = async () => {
    child.stdin.end()
    await ended
    await rm(work, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const problem = await Promise.race([ended.then(() => 'ended before it responded'), waitForResponse(url)])
  if (problem === undefined) return { url, close }
  await close()
  throw new Error(`${server.package} ${problem}: ${tail()}`)
}

/** Waits for any response. Returns why there is none, or undefined. */
async function waitForResponse(url: string): Promise<string | undefined> {
  const deadline = performance.now() + startTimeoutMs
  while (performance.now() < deadline) {
    const response = await fetch(`${url}/ok`).catch(() => undefined)
    await response?.body?.cancel()
    if (response !== undefined) return undefined
    await setTimeout(50)
  }
  return `did not respond within ${startTimeoutMs / 1000} s`
}
