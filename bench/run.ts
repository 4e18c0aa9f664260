import { mkdir, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageVersion } from '../reporters/model/version.ts'
import { toMarkdown } from './markdown.ts'
import type { Measure, Setting } from './measure.ts'
import { measures as allMeasures } from './measures/index.ts'
import { type BenchOptions, readOptions } from './options.ts'
import type { Row } from './row.ts'
import { summarize } from './samples.ts'
import { bare, installedServers, mock } from './servers/bench-server.ts'
import { startServer } from './servers/start.ts'
import { whyNoUsage } from './usage.ts'

// `npm run bench`: measures the mock server and other servers. README.md explains how to read the results.

const NO_THIRD_PARTY = { benchServers: [], missing: ['third-party servers (--no-third-party)'] }

const options = readOptions(process.argv, fileURLToPath(new URL('.', import.meta.url)))
// The servers end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  process.exitCode = await bench(options)
} catch (error) {
  log(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}

async function bench({ measures, quick, long, thirdParty: includeThirdParty, out }: BenchOptions): Promise<number> {
  const problem = whyNoUsage()
  if (problem !== undefined) throw new Error(problem)
  const { benchServers: thirdParty, missing: notInstalled } = includeThirdParty
    ? await installedServers()
    : NO_THIRD_PARTY
  const reasons: string[] = []
  const missing = (reason: string): void => {
    reasons.push(reason)
    log(`not measured: ${reason}`)
  }
  notInstalled.forEach(missing)
  const started = performance.now()
  // The first start of a version fills the compile cache for all others.
  for (const benchServer of [bare, mock]) await (await startServer(benchServer)).stop()
  const rows: Row[] = []
  for (const measure of measures) rows.push(...(await rowsOf(measure, { quick, long, thirdParty, missing })))
  const markdown = toMarkdown(rows, measures, {
    command: commandOf(measures, { quick, long }),
    machine: machine(),
    servers: [bare, mock, ...thirdParty].map(({ title }) => title),
    missing: reasons,
    date: new Date().toISOString().slice(0, 10),
    seconds: secondsSince(started),
  })
  process.stdout.write(markdown)
  if (out !== undefined) await write(out, rows, markdown)
  return rows.some(({ met }) => met === false) ? 1 : 0
}

async function rowsOf(measure: Measure, setting: Setting): Promise<Row[]> {
  const started = performance.now()
  const samples = await measure.run(setting)
  log(`${measure.name}: ${secondsSince(started).toFixed(1)} s`)
  const circumstances = { command: commandOf([measure], setting), machine: machine() }
  return samples.map((row) => ({ ...summarize(row), ...circumstances }))
}

function commandOf(measures: readonly Measure[], { quick, long }: Pick<Setting, 'quick' | 'long'>): string {
  const only = measures.length < allMeasures.length ? ['--only', ...measures.map(({ name }) => name)] : []
  const options = [...(quick ? ['--quick'] : []), ...(long ? ['--long'] : []), ...only]
  return ['npm run bench', ...(options.length > 0 ? ['--', ...options] : [])].join(' ')
}

async function write(folder: string, rows: readonly Row[], markdown: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'results.json'), `${JSON.stringify(rows, null, 2)}\n`)
  await writeFile(join(folder, 'RESULTS.md'), markdown)
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000
}

/** Prints progress and problems to standard error; standard output has only the results. */
function log(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** Processor, cores, memory, operating system and versions in one line. */
function machine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  return [
    `${model}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()} ${arch()}`,
    `Node ${process.versions.node}`,
    `touchstone ${packageVersion}`,
  ].join('; ')
}
