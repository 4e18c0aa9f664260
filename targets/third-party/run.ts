import { join, relative } from 'node:path'
import type { Report, RequirementResult, Verdict } from '../../reporters/model/report.ts'
import { keepCoresBusy } from '../processes.ts'
import { install } from './install.ts'
import { record } from './observations.ts'
import { type RunOptions, readOptions } from './options.ts'
import type { ThirdPartyServer } from './servers.ts'
import { testServer } from './test-server.ts'
import { writeMatrix } from './write-matrix.ts'

// `npm run third-party`: tests third-party servers. The exit code is the worst of all servers. A server that cannot be
// installed is skipped: the run is incomplete (exit code 3), or fails if CI=true.

/** Exit codes, worst first: a failure outranks an incomplete run. */
const worstFirst = [2, 1, 3, 0]

/** Verdicts that the summary lists in addition to expected failures. */
const listedVerdicts: readonly Verdict[] = ['fail', 'flaky', 'error', 'blocked', 'inconclusive']

const options = readOptions(process.argv)
const stopBusyCores = options.busy ? keepCoresBusy() : async () => {}
const codes: number[] = []
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
try {
  for (const server of options.servers) {
    if (interruption.signal.aborted) break
    codes.push(await installAndTest(server, options, interruption.signal).catch((error) => aborted(server, error)))
  }
} finally {
  await stopBusyCores()
}
if (!options.install) codes.push(await compare(options.report).catch(notCompared))
process.exitCode = worstFirst.find((code) => codes.includes(code)) ?? 0

async function installAndTest(server: ThirdPartyServer, options: RunOptions, signal: AbortSignal): Promise<number> {
  try {
    await install(server)
  } catch (error) {
    return skipped(server, error)
  }
  if (options.install) {
    print(`${server.name}: ${server.package} is installed\n`)
    return 0
  }
  const folder = join(options.report, server.name)
  const started = performance.now()
  const { repeat, baseline } = options
  const onListening = (urls: readonly string[]) => print(`${server.name} listens on ${urls.join(' and ')}\n`)
  const report = await testServer(server, { folder, repeat, baseline, onListening, signal })
  print(summary(server, report, (performance.now() - started) / 1000))
  print(`  reports in ${relative(process.cwd(), folder)}\n`)
  if (options.record && report.interrupted === undefined) {
    for (const file of await record(server, report)) print(`  recorded ${file}\n`)
  }
  return options.record ? 0 : report.verdict.exitCode
}

function skipped({ name }: ThirdPartyServer, error: unknown): number {
  print(`${name}: skipped: ${error instanceof Error ? error.message : error}\n`)
  return process.env['CI'] === 'true' ? 1 : 3
}

/** Writes the matrix of all servers with a report in the folder, also of those that another run tested. */
async function compare(folder: string): Promise<number> {
  const paths = await writeMatrix(folder)
  if (paths.length > 0) print(`matrix in ${paths.map((path) => relative(process.cwd(), path)).join(' and ')}\n`)
  return 0
}

function notCompared(error: unknown): number {
  print(`matrix: ${error instanceof Error ? error.message : error}\n`)
  return 2
}

/** Prints why a run ended without a report: an error in Touchstone, or an interruption. */
function aborted({ name }: ThirdPartyServer, error: unknown): number {
  print(`${name}: ${error instanceof Error ? error.message : error}\n`)
  return interruption.signal.aborted ? 3 : 2
}

/** The verdict in one sentence, then failures, stale baseline entries, expected failures and times. */
function summary(server: ThirdPartyServer, report: Report, seconds: number): string {
  const { requirements, staleBaseline } = report
  const listed = requirements.filter(({ verdict, accepted }) => listedVerdicts.includes(verdict) && !accepted)
  const expected = requirements.filter(({ verdict }) => verdict === 'expected-fail')
  return [
    `${server.name} (${server.package}): ${report.verdict.sentence}`,
    ...listed.map((requirement) => `  ${requirement.verdict}: ${requirement.id}${detail(requirement)}`),
    ...staleBaseline.map(({ id, reason }) => `  stale: ${id}: ${reason}`),
    ...expected.map(({ id, reason = '' }) => `  expected: ${id}\n    ${reason}`),
    `  ${seconds.toFixed(1)} s including the server start, ${(report.durationMs / 1000).toFixed(1)} s of checks\n`,
  ].join('\n')
}

function detail({ outcomes, verdict }: RequirementResult): string {
  const outcome = outcomes.find((each) => each.verdict === verdict || (verdict === 'flaky' && each.failure))
  const text = outcome?.failure?.received ?? outcome?.blockedBy ?? outcome?.unlock
  return text === undefined ? '' : `\n    [${outcome?.endpoint}] ${text}`
}

function print(text: string): void {
  process.stdout.write(text)
}
