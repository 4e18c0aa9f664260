import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machine } from './machine.ts'
import { toMarkdown } from './markdown.ts'
import type { Measure, Setting } from './measure.ts'
import { measures as allMeasures } from './measures/all.ts'
import { type BenchOptions, readOptions } from './options.ts'
import type { Row } from './row.ts'
import { sumUp } from './samples.ts'
import { bare, installedServers, mock } from './servers/contender.ts'
import { startServer } from './servers/start.ts'
import { whyNoUsage } from './usage.ts'

// `npm run bench`: what the mock server costs, beside other servers. README.md says how to read it.

const LEFT_OUT = { contenders: [], missing: ['the public servers (--no-peers)'] }

const options = readOptions(process.argv, fileURLToPath(new URL('.', import.meta.url)))
// Ending so also ends the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  process.exitCode = await bench(options)
} catch (error) {
  tell(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}

async function bench({ measures, quick, long, peers: isWanted, out }: BenchOptions): Promise<number> {
  const problem = whyNoUsage()
  if (problem !== undefined) throw new Error(problem)
  const { contenders: peers, missing: notInstalled } = isWanted ? await installedServers() : LEFT_OUT
  const reasons: string[] = []
  const missing = (reason: string): void => {
    reasons.push(reason)
    tell(`not measured: ${reason}`)
  }
  notInstalled.forEach(missing)
  const began = performance.now()
  // The first start of a version compiles what all others find compiled.
  for (const contender of [bare, mock]) await (await startServer(contender)).stop()
  const rows: Row[] = []
  for (const measure of measures) rows.push(...(await rowsOf(measure, { quick, long, peers, missing })))
  const markdown = toMarkdown(rows, measures, {
    command: commandOf(measures, { quick, long }),
    machine: machine(),
    servers: [bare, mock, ...peers].map(({ title }) => title),
    missing: reasons,
    date: new Date().toISOString().slice(0, 10),
    seconds: secondsSince(began),
  })
  process.stdout.write(markdown)
  if (out !== undefined) await write(out, rows, markdown)
  return rows.some(({ met }) => met === false) ? 1 : 0
}

async function rowsOf(measure: Measure, setting: Setting): Promise<Row[]> {
  const began = performance.now()
  const samples = await measure.run(setting)
  tell(`${measure.name}: ${secondsSince(began).toFixed(1)} s`)
  const circumstances = { command: commandOf([measure], setting), machine: machine() }
  return samples.map((row) => ({ ...sumUp(row), ...circumstances }))
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

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000
}

/** Progress and problems: standard output holds the results alone. */
function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
