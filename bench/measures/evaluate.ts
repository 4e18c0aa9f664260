import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TraceEntry } from '../../suites/trace/entries.ts'
import { createLineWriter, linesOf } from '../../suites/trace/lines.ts'
import { inTemporaryFolder } from '../../targets/processes.ts'
import type { Measure } from '../measure.ts'
import { type CommandRun, runTouchstone } from '../run-touchstone.ts'
import { goal } from '../samples.ts'

/** Exchanges of the larger trace. */
const MANY = 100_000

/** Rules applied to saved traces. */
export const evaluate: Measure = {
  name: 'evaluate',
  explanation: `Time of the command \`touchstone evaluate\` from start to end: for a trace of the deployment API (one), and for that trace repeated up to ${MANY} exchanges (many), with the peak of the memory. The ratio of the time for each exchange shows whether it grows faster than the trace.`,
  run: ({ quick }) =>
    inTemporaryFolder(async (folder) => {
      const [one, many] = [join(folder, 'one.ndjson'), join(folder, 'many.ndjson')]
      await runTouchstone(['conformance', '--area', 'deployment', '--report', folder, '--trace', one])
      const exchanges = await repeatTrace(one, many, quick ? 4000 : MANY)
      const runs = async (file: string): Promise<readonly CommandRun[]> => {
        const all: CommandRun[] = []
        const args = ['evaluate', file, '--report', folder]
        for (let round = 0; round < (quick ? 1 : 3); round++) all.push(await runTouchstone(args))
        return all
      }
      const [small, large] = [await runs(one), await runs(many)]
      const each = {
        name: 'evaluate.one.each',
        unit: 'ms/exchange',
        values: small.map(({ seconds }) => (1000 * seconds) / exchanges.one),
      }
      return [
        {
          name: 'evaluate.one.wall',
          unit: 's',
          values: small.map(({ seconds }) => seconds),
          goal: goal('value', '<=', 1),
        },
        each,
        {
          name: 'evaluate.many.wall',
          unit: 's',
          values: large.map(({ seconds }) => seconds),
          goal: goal('value', '<=', 20),
        },
        {
          name: 'evaluate.many.each',
          unit: 'ms/exchange',
          values: large.map(({ seconds }) => (1000 * seconds) / exchanges.many),
          reference: each,
          goal: goal('ratio', '<=', 1.2),
        },
        {
          name: 'evaluate.many.peak',
          unit: 'MB',
          values: large.map(({ peakBytes }) => peakBytes / 1e6),
          goal: goal('value', '<=', 400),
        },
      ]
    }),
}

/** Writes the repeats of a trace until it has a number of exchanges; returns the exchanges of both. */
async function repeatTrace(from: string, to: string, wanted: number): Promise<{ one: number; many: number }> {
  const entries: TraceEntry[] = []
  for await (const line of linesOf(createReadStream(from, 'utf8'))) entries.push(JSON.parse(line))
  const one = entries.filter(({ type }) => type === 'request').length
  const rounds = Math.ceil(wanted / one)
  const lines: string[] = []
  const { onTrace, end } = createLineWriter((line) => lines.push(line))
  async function* repeated() {
    for (const entry of entries.filter(isOnce)) onTrace(entry)
    for (let round = 1; round <= rounds; round++) {
      for (const entry of entries) if (!isOnce(entry) && !isEnd(entry)) onTrace(inRound(entry, round, one))
      yield lines.splice(0).join('')
    }
    for (const entry of entries) if (entry.type === 'finish') onTrace(entry)
    end()
    yield lines.splice(0).join('')
  }
  await pipeline(Readable.from(repeated()), createWriteStream(to))
  return { one, many: one * rounds }
}

function isOnce({ type }: TraceEntry): boolean {
  return type === 'trace' || type === 'endpoint'
}

function isEnd({ type }: TraceEntry): boolean {
  return type === 'finish' || type === 'checksum'
}

/** Returns an entry of the first repeat as one of a later repeat, with ids of its own. */
function inRound(entry: TraceEntry, round: number, exchanges: number): TraceEntry {
  const offset = (round - 1) * exchanges
  const moved: Record<string, unknown> = { ...entry }
  for (const key of ['id', 'scenario', 'control', 'exchange']) {
    if (typeof moved[key] === 'number') moved[key] += offset
  }
  return { ...moved, ...('round' in entry && { round }) } as TraceEntry
}
