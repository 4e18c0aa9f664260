import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LongTest } from './long-test.ts'

const MOCKS = 10_000

/** Leaks of mock servers that were created in sequence. */
interface Leaks {
  /** Bytes of heap per server. */
  readonly bytesPerMock: number
  /** Timers and sockets that keep the process alive. */
  readonly resources: number
}

/** Creates ten thousand mock servers in sequence, a third of them never closed: no memory or handle leaks. */
export const mocks: LongTest = async (print) => {
  const { bytesPerMock, resources } = await measureLeaks(MOCKS)
  print(`${MOCKS} mocks: ${bytesPerMock} bytes of heap per server, ${resources} leaked handles`)
  return bytesPerMock < 1_000 && resources === 0
}

/** Creates mock servers in a new process. */
export async function measureLeaks(count: number): Promise<Leaks> {
  const script = fileURLToPath(new URL('many-mocks.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}
