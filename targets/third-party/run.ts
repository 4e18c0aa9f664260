import { join, relative } from 'node:path'
import { packageRoot } from '../../suites/runner/package-root.ts'
import { keepCoresBusy } from './busy.ts'
import { install } from './install.ts'
import { judgePeer } from './judge.ts'
import { type PeersOptions, readOptions } from './options.ts'
import type { Peer } from './peer.ts'
import { record } from './record.ts'
import { summary } from './summary.ts'

// `npm run peers`: public servers, judged. Exit code: the worst of all peers; a peer that cannot be had is skipped: an
// incomplete run, and a failure where CI=true.

/** Exit codes from the worst to the best: a real failure stays visible beside what is incomplete. */
const fromTheWorst = [2, 1, 3, 0]

const options = readOptions(process.argv)
const stop = options.busy ? keepCoresBusy() : async () => {}
const codes: number[] = []
const end = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
try {
  for (const peer of options.peers) {
    if (!end.signal.aborted) codes.push(await judged(peer, options, end.signal).catch((error) => failed(peer, error)))
  }
} finally {
  await stop()
}
process.exitCode = fromTheWorst.find((code) => codes.includes(code)) ?? 0

async function judged(peer: Peer, options: PeersOptions, signal: AbortSignal): Promise<number> {
  try {
    await install(peer)
  } catch (error) {
    return skipped(peer, error)
  }
  if (options.install) {
    print(`${peer.name}: ${peer.server} is installed\n`)
    return 0
  }
  const folder = join(packageRoot, 'reports/peers', peer.name)
  const started = performance.now()
  const { repeat, baseline } = options
  const onServed = (urls: readonly string[]) => print(`${peer.name} listens on ${urls.join(' and ')}\n`)
  const report = await judgePeer(peer, { folder, repeat, baseline, onServed, signal })
  print(summary(`${peer.name} (${peer.server})`, report, (performance.now() - started) / 1000))
  print(`  reports in ${relative(process.cwd(), folder)}\n`)
  if (options.record && report.interrupted === undefined)
    for (const file of await record(peer, report)) print(`  recorded ${file}\n`)
  return options.record ? 0 : report.verdict.exitCode
}

function skipped(peer: Peer, error: unknown): number {
  print(`${peer.name}: skipped: ${error instanceof Error ? error.message : error}\n`)
  return process.env['CI'] === 'true' ? 1 : 3
}

/** Nothing was judged: on our side something went wrong, or the run was interrupted. */
function failed(peer: Peer, error: unknown): number {
  print(`${peer.name}: ${error instanceof Error ? error.message : error}\n`)
  return end.signal.aborted ? 3 : 2
}

function print(text: string): void {
  process.stdout.write(text)
}
