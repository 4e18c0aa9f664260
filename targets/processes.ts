import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A program and its arguments. */
export type Command = readonly [string, ...string[]]

/** Runs a command to its end. Throws with the end of its output if it cannot be started or fails. */
export async function runCommand([program, ...args]: Command, cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const tail = keepTail(child.stdout, child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with exit code ${code}: ${tail()}`)
}

/** Reads streams to their end. Returns a function that returns the last 2,000 characters. */
export function keepTail(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let tail = ''
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (text) => {
      tail = (tail + text).slice(-2000)
    })
  }
  return () => tail.trim()
}

/** Finds a port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port')
  return address.port
}

/** Calls `work` with the path of a new temporary folder, and removes the folder afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Keeps every core busy with one spinning thread each. Returns a function that stops the threads. */
export function keepCoresBusy(): () => Promise<void> {
  const spin = () => new Worker('for (;;) Math.sqrt(2)', { eval: true })
  const workers = Array.from({ length: availableParallelism() }, spin)
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
