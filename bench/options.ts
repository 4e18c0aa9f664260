import { Command } from 'commander'
import type { Measure } from './measure.ts'
import { measures } from './measures/all.ts'

/** What `npm run bench` is asked for. */
export interface BenchOptions {
  readonly measures: readonly Measure[]
  readonly quick: boolean
  /** Also what takes many minutes. */
  readonly long: boolean
  /** Whether the public servers are measured too. */
  readonly peers: boolean
  /** Folder for the results; undefined where they are printed only. */
  readonly out: string | undefined
}

interface Flags {
  readonly only?: string[]
  readonly quick: boolean
  readonly long: boolean
  readonly peers: boolean
  readonly out?: string
}

const names = measures.map(({ name }) => name).join(', ')

/** Reads the command line; what it cannot use ends the process with one sentence and exit code 2. */
export function readOptions(argv: readonly string[], ownFolder: string): BenchOptions {
  const program = new Command('npm run bench --')
    .description('Measures the mock server beside bare node:http and the public servers that are installed.')
    .option('--only <name...>', `measure only some of ${names}`)
    .option('--quick', 'short rounds: shows that everything works, and little more', false)
    .option('--long', 'also exports of 2 million records: many minutes, and 6 GB of temporary files', false)
    .option('--no-peers', 'leave the public servers out')
    .option('--out <dir>', 'folder for RESULTS.md and results.json (default: bench, for a whole run only)')
    .addHelpText(
      'after',
      '\nExit code: 0 every goal is met, 1 one is not, 2 usage error or a server that does not start.',
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(argv)
  const { only, quick, long, peers, out } = program.opts<Flags>()
  const unknown = only?.filter((name) => !measures.some((measure) => measure.name === name)) ?? []
  if (unknown.length > 0) program.error(`error: there is no measure ${unknown.join(', ')}; expected ${names}`)
  const whole = only === undefined && !quick && peers
  return {
    measures: only === undefined ? measures : measures.filter(({ name }) => only.includes(name)),
    quick,
    long,
    peers,
    out: out ?? (whole ? ownFolder : undefined),
  }
}
