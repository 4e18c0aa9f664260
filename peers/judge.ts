import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../reporters/model.ts'
import { readReport } from '../reporters/read.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { packageRoot } from '../suites/runner/package-root.ts'
import type { Peer } from './peer.ts'
import { serve } from './serve.ts'

/** How a peer is judged. */
export interface PeerRun {
  /** Folder of the reports. */
  readonly folder: string
  /** @default 1 */
  readonly repeat?: number
  /** Without it every known failure is a failure again. */
  readonly baseline: boolean
  /** Files to lay over the kit, and what the manifest then says of them. */
  readonly over?: { readonly folder: string; readonly manifest: Partial<Manifest> }
}

/** Starts a peer, open and behind the kit's authentication, judges both as one target and stops it. */
export async function judgePeer(peer: Peer, { folder, repeat = 1, baseline, over }: PeerRun): Promise<Report> {
  const work = await mkdtemp(join(tmpdir(), 'touchstone-judge-'))
  const [open, guarded] = await Promise.all([
    serve(peer, 'langgraph.json', over?.folder),
    serve(peer, 'langgraph.custom-auth.json', over?.folder),
  ])
  try {
    const manifest: Manifest = { ...(await manifestOf(peer, open.url, guarded.url)), ...over?.manifest }
    const config = join(work, 'touchstone.config.json')
    await writeFile(config, JSON.stringify(manifest))
    const known = baseline ? ['--baseline', baselineOf(peer)] : []
    await touchstone(['test', '--config', config, '--report', folder, '--repeat', String(repeat), ...known])
    const file = join(folder, 'report.json')
    return readReport(await readFile(file, 'utf8'), file)
  } finally {
    await Promise.all([open.close(), guarded.close(), rm(work, { recursive: true, force: true })])
  }
}

/** The file of a peer's known failures. */
export function baselineOf(peer: Peer): string {
  return join(packageRoot, 'peers', peer.name, 'baseline.json')
}

/** The manifest that comes with the graph kit, with the addresses of this run. */
async function manifestOf(peer: Peer, open: string, guarded: string): Promise<Manifest> {
  const kit: Manifest = JSON.parse(
    await readFile(join(packageRoot, 'fixtures/graph-kit/touchstone.config.json'), 'utf8'),
  )
  const [name, version = ''] = peer.server.split(' ')
  const { open: plain, 'custom-auth': users } = kit.endpoints
  return {
    ...kit,
    name: name ?? peer.server,
    version,
    concurrency: 8,
    endpoints: { open: { ...plain, url: open }, 'custom-auth': { ...users, url: guarded } },
  }
}

/** Runs the command line; its exit code stands in the report too, and only where there is none it has gone wrong. */
async function touchstone(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(packageRoot, 'bin/touchstone.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code === 2) throw new Error(stderr.trim())
}
