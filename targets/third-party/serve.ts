import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import type { Peer } from './peer.ts'
import { keepTail } from './run-command.ts'

/** A server that listens on the loopback interface. */
export interface ServedPeer {
  readonly url: string
  close(): Promise<void>
}

/** Longest time in milliseconds until a server answers; Python reads its byte code for the first time. */
const readyMs = 60_000

/**
 * Serves the test graphs with a peer until `close`, or until this process ends, however it ends.
 *
 * The test graphs are copied to a working directory, where the server keeps its state; the files of the folder
 * `over` are laid over it.
 */
export async function serve(
  peer: Peer,
  configuration: 'langgraph.json' | 'langgraph.custom-auth.json',
  over?: string,
): Promise<ServedPeer> {
  const work = await mkdtemp(join(tmpdir(), 'touchstone-peer-'))
  for (const folder of [peer.testGraphs, over]) if (folder !== undefined) await cp(folder, work, { recursive: true })
  await peer.prepare(work)
  const port = await freePort()
  const keeper = spawn(process.execPath, [keeperFile, ...peer.serve(configuration, port)], {
    cwd: work,
    env: { ...process.env, LANGSMITH_TRACING: 'false', LOG_LEVEL: 'error' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Out of reach of the terminal's signals: what is being judged must outlive the last request.
    detached: true,
  })
  const tail = keepTail(keeper.stdout, keeper.stderr)
  const ended = once(keeper, 'exit')
  const close = async () => {
    keeper.stdin.end()
    await ended
    await rm(work, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const gone = ended.then(() => 'ended before it answered')
  const why = await Promise.race([gone, answers(url)])
  if (why === undefined) return { url, close }
  await close()
  throw new Error(`${peer.server} ${why}: ${tail()}`)
}

const keeperFile = fileURLToPath(new URL('keeper.ts', import.meta.url))

/** Waits for any answer at all; tells why there is none. */
async function answers(url: string): Promise<string | undefined> {
  const until = performance.now() + readyMs
  while (performance.now() < until) {
    const answered = await fetch(`${url}/ok`).then(
      () => true,
      () => false,
    )
    if (answered) return undefined
    await setTimeout(50)
  }
  return `did not answer within ${readyMs / 1000} s`
}
