import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readReport } from '../../reporters/model/read.ts'
import type { Report } from '../../reporters/model/report.ts'
import type { Manifest } from '../../suites/harness/manifest.ts'
import { packageRoot } from '../package-root.ts'
import { inTemporaryFolder, keepTail } from '../processes.ts'
import { serve } from './serve.ts'
import { baselineFile, type ThirdPartyServer } from './servers.ts'

/** Options of a test run against a third-party server. */
export interface TestOptions {
  /** Folder of the reports. */
  readonly folder: string
  /** @default 1 */
  readonly repeat?: number
  /** Whether the known failures of the server are accepted. */
  readonly baseline: boolean
  /** Called with the URLs of the servers once they listen. */
  readonly onListening?: (urls: readonly string[]) => void
  /** Ends the run early; the report covers what ran until then. */
  readonly signal?: AbortSignal
  /** Files that replace those of the test graphs, and the changes to the manifest that this requires. */
  readonly overlay?: { readonly folder: string; readonly manifest: Partial<Manifest> }
}

/** Starts a server twice, open and with custom authentication, tests both as one target and stops them. */
export async function testServer(server: ThirdPartyServer, options: TestOptions): Promise<Report> {
  const { overlay } = options
  const [open, guarded] = await Promise.all([
    serve(server, 'langgraph.json', overlay?.folder),
    serve(server, 'langgraph.custom-auth.json', overlay?.folder),
  ])
  options.onListening?.([open.url, guarded.url])
  try {
    const manifest = { ...(await testGraphsManifest(server, open.url, guarded.url)), ...overlay?.manifest }
    return await runTests(server, manifest, options)
  } finally {
    await Promise.all([open.close(), guarded.close()])
  }
}

function runTests(server: ThirdPartyServer, manifest: Manifest, options: TestOptions): Promise<Report> {
  return inTemporaryFolder(async (work) => {
    const { folder, repeat = 1, baseline, signal } = options
    const config = join(work, 'touchstone.config.json')
    await writeFile(config, JSON.stringify(manifest))
    const file = join(folder, 'report.json')
    // This run may end without a report; the report of an earlier run must not be read then.
    await rm(file, { force: true })
    const trace = join(folder, 'trace.ndjson')
    const args = [
      'test',
      '--config',
      config,
      '--report',
      folder,
      '--trace',
      trace,
      '--repeat',
      String(repeat),
      '--thorough',
    ]
    const errors = await runTouchstone(baseline ? [...args, '--baseline', baselineFile(server)] : args, signal)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return readReport(text, file)
    throw new Error(signal?.aborted ? 'interrupted before the first test' : errors)
  })
}

/** The manifest of the test graphs, with the name and the URLs of the server. */
async function testGraphsManifest(server: ThirdPartyServer, openUrl: string, guardedUrl: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(
    await readFile(join(packageRoot, 'fixtures/test-graphs/touchstone.config.json'), 'utf8'),
  )
  const [name = server.name, version = ''] = server.package.split(' ')
  const { open, 'custom-auth': guarded } = manifest.endpoints
  return {
    ...manifest,
    name,
    version,
    concurrency: server.runsAtOnce,
    endpoints: { open: { ...open, url: openUrl }, 'custom-auth': { ...guarded, url: guardedUrl } },
  }
}

/** Runs the command line to its end and returns the end of its standard error. */
async function runTouchstone(args: readonly string[], signal?: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot, 'cli/bin/touchstone.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const tail = keepTail(child.stderr)
  const stop = () => child.kill('SIGTERM')
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  await once(child, 'close')
  signal?.removeEventListener('abort', stop)
  return tail()
}
