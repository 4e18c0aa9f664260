import { spawn } from 'node:child_process'
import type { Command } from './peer.ts'

/** Runs a command to its end; throws with the end of what it wrote where it is missing or fails. */
export async function runCommand([program, ...args]: Command, cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const tail = keepTail(child.stdout, child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with ${code}: ${tail()}`)
}

/** Reads streams to their end and keeps the last of it. */
export function keepTail(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let tail = ''
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (text) => {
      tail = (tail + text).slice(-2000)
    })
  }
  return () => tail.trim()
}
