import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReport } from '../../reporters/model/read.ts'
import type { Report } from '../../reporters/model/report.ts'
import type { Manifest } from '../../suites/harness/manifest.ts'
import { packageRoot } from '../../suites/runner/package-root.ts'
import type { Peer } from './peer.ts'
import { keepTail } from './run-command.ts'
import { serve } from './serve.ts'

/** How a peer is judged. */
export interface PeerRun {
  /** Folder of the reports. */
  readonly folder: string
  /** @default 1 */
  readonly repeat?: number
  /** Without it every known failure is a failure again. */
  readonly baseline: boolean
  /** Told where the servers listen. */
  readonly onServed?: (urls: readonly string[]) => void
  /** Ends the run early; the report tells what was done. */
  readonly signal?: AbortSignal
  /** Files to copy over the test graphs, and what the manifest then says of them. */
  readonly over?: { readonly folder: string; readonly manifest: Partial<Manifest> }
}

/** Starts a peer, open and behind the authentication of the test graphs, judges both as one target and stops it. */
export async function judgePeer(peer: Peer, run: PeerRun): Promise<Report> {
  const { folder, repeat = 1, baseline, over } = run
  const work = await mkdtemp(join(tmpdir(), 'touchstone-judge-'))
  const [open, guarded] = await Promise.all([
    serve(peer, 'langgraph.json', over?.folder),
    serve(peer, 'langgraph.custom-auth.json', over?.folder),
  ])
  run.onServed?.([open.url, guarded.url])
  try {
    const manifest: Manifest = { ...(await manifestOf(peer, open.url, guarded.url)), ...over?.manifest }
    const config = join(work, 'touchstone.config.json')
    await writeFile(config, JSON.stringify(manifest))
    const known = baseline ? ['--baseline', baselineOf(peer)] : []
    const file = join(folder, 'report.json')
    // An earlier run's report is none of this one, should it end without.
    await rm(file, { force: true })
    const args = ['test', '--config', config, '--report', folder, '--repeat', String(repeat), ...known]
    const told = await touchstone(args, run.signal)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return readReport(text, file)
    throw new Error(run.signal?.aborted ? 'interrupted before anything was judged' : told)
  } finally {
    await Promise.all([open.close(), guarded.close(), rm(work, { recursive: true, force: true })])
  }
}

/** The file of a peer's known failures. */
export function baselineOf(peer: Peer): string {
  return join(packageRoot, 'targets/third-party', peer.name, 'baseline.json')
}

/** The manifest that comes with the test graphs, with the addresses of this run. */
async function manifestOf(peer: Peer, open: string, guarded: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(
    await readFile(join(packageRoot, 'fixtures/test-graphs/touchstone.config.json'), 'utf8'),
  )
  const [name, version = ''] = peer.server.split(' ')
  const { open: plain, 'custom-auth': users } = manifest.endpoints
  return {
    ...manifest,
    name: name ?? peer.server,
    version,
    concurrency: 8,
    endpoints: { open: { ...plain, url: open }, 'custom-auth': { ...users, url: guarded } },
  }
}

/** Runs the command line to its end and returns what it told on standard error. */
async function touchstone(args: readonly string[], signal?: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot, 'cli/bin/touchstone.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = keepTail(child.stderr)
  const stop = () => child.kill('SIGTERM')
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  await once(child, 'close')
  signal?.removeEventListener('abort', stop)
  return told()
}
