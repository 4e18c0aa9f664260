import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LongTest } from './long-test.ts'

const MOCKS = 10_000

/** What mocks left behind that were made one after the other. */
interface Left {
  /** Bytes of heap. */
  readonly bytesPerMock: number
  /** Timers and sockets that keep the process up. */
  readonly resources: number
}

/** Ten thousand mocks one after the other, a third of them never closed: none leaves anything behind. */
export const mocks: LongTest = async (print) => {
  const { bytesPerMock, resources } = await mocksLeave(MOCKS)
  print(`${MOCKS} mocks: ${bytesPerMock} bytes of heap a mock, ${resources} resources more than before`)
  return bytesPerMock < 1_000 && resources === 0
}

/** Makes so many mocks in a process of their own. */
export async function mocksLeave(count: number): Promise<Left> {
  const script = fileURLToPath(new URL('many-mocks.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}
