import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request } from 'undici'
import { freePort, keepTail } from '../../targets/processes.ts'
import { usageOf } from '../usage.ts'
import type { Contender } from './contender.ts'

/** A server in a process of its own. */
export interface Server {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start of its process to its first answer. */
  readonly startMs: number
  /** Milliseconds of CPU that it used until then. */
  readonly startCpuMs: number
  /** Halts its process but for as long as some work lasts: meanwhile what it does by itself disturbs no other server. */
  awake<T>(work: () => Promise<T>): Promise<T>
  /** Halts it until it is awake for the first time. */
  halt(): void
  stop(): Promise<void>
}

const READY_MS = 60_000
const PATIENCE_MS = 500
/** How often a starting server is asked: often enough to tell milliseconds, without keeping it from starting. */
const ASK_EVERY_MS = 5

/** Starts a server on a free port and waits for its first answer. It ends with this process at the latest. */
export async function startServer(contender: Contender): Promise<Server> {
  const port = await freePort()
  const { command, folder } = await contender.prepare(port)
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
    // A process that ends by itself keeps what it compiled, as its users' does; one that does not is ended.
    child.kill('SIGTERM')
    const patience = setTimeout(kill, PATIENCE_MS)
    await ended
    clearTimeout(patience)
    process.off('exit', kill)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const answered = await Promise.race([ended.then(() => false), firstAnswer(url, started + READY_MS)])
  const startMs = performance.now() - started
  if (answered && child.pid !== undefined) {
    const startCpuMs = usageOf(child.pid).cpuMicros / 1000
    const halt = () => void child.kill('SIGSTOP')
    const awake = async <T>(work: () => Promise<T>): Promise<T> => {
      child.kill('SIGCONT')
      return await work().finally(halt)
    }
    return { name: contender.name, url, pid: child.pid, startMs, startCpuMs, awake, halt, stop }
  }
  await stop()
  throw new Error(`${contender.title} did not answer: ${tail()}`)
}

async function firstAnswer(url: string, until: number): Promise<boolean> {
  while (performance.now() < until) {
    const answer = await request(`${url}/ok`, { reset: true }).catch(() => undefined)
    await answer?.body.dump()
    if (answer !== undefined) return true
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return false
}
