import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request } from 'undici'
import { freePort, keepTail } from '../../targets/processes.ts'
import { usageOf } from '../usage.ts'
import type { BenchServer } from './bench-server.ts'

/** A server in a separate process. */
export interface RunningServer {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start of the process to the first response. */
  readonly startMs: number
  /** Milliseconds of CPU time until then. */
  readonly startCpuMs: number
  /** Resumes the process while `work` runs, then halts it again, so that its background work disturbs no other server. */
  awake<T>(work: () => Promise<T>): Promise<T>
  /** Halts the process until the first call of `awake`. */
  halt(): void
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 500
/** Interval between requests to a starting server: short enough for precision, long enough not to slow the start. */
const POLL_MS = 5

/** Starts a server on a free port and waits for its first response. The server ends with this process at the latest. */
export async function startServer(benchServer: BenchServer): Promise<RunningServer> {
  const port = await freePort()
  const { command, folder } = await benchServer.prepare(port)
  const [program, ...args] = command
  const started = performance.now()
  const child = spawn(program, args, {
    ...(folder !== undefined && { cwd: folder }),
    env: { ...process.env, LANGSMITH_TRACING: 'false', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  const tail = keepTail(child.stdout, child.stderr)
  const stop = async () => {
    child.kill('SIGCONT')
    // A process that ends by itself saves its compile cache. One that does not is killed.
    child.kill('SIGTERM')
    const timeout = setTimeout(kill, STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timeout)
    process.off('exit', kill)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const responded = await Promise.race([ended.then(() => false), waitForResponse(url, started + START_TIMEOUT_MS)])
  const startMs = performance.now() - started
  if (responded && child.pid !== undefined) {
    const startCpuMs = usageOf(child.pid).cpuMicros / 1000
    const halt = () => void child.kill('SIGSTOP')
    const awake = async <T>(work: () => Promise<T>): Promise<T> => {
      child.kill('SIGCONT')
      return await work().finally(halt)
    }
    return { name: benchServer.name, url, pid: child.pid, startMs, startCpuMs, awake, halt, stop }
  }
  await stop()
  throw new Error(`${benchServer.title} did not start: ${tail()}`)
}

async function waitForResponse(url: string, deadline: number): Promise<boolean> {
  while (performance.now() < deadline) {
    const response = await request(`${url}/ok`, { reset: true }).catch(() => undefined)
    await response?.body.dump()
    if (response !== undefined) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}
