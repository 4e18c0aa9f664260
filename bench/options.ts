import { Command } from 'commander'
import type { Measure } from './measure.ts'
import { measures } from './measures/index.ts'

/** Options of `npm run bench`. */
export interface BenchOptions {
  readonly measures: readonly Measure[]
  readonly quick: boolean
  /** Includes measurements that take many minutes. */
  readonly long: boolean
  /** Includes the installed third-party servers. */
  readonly thirdParty: boolean
  /** Folder of the results; if undefined, they are only printed. */
  readonly out: string | undefined
}

interface Flags {
  readonly only?: string[]
  readonly quick: boolean
  readonly long: boolean
  readonly thirdParty: boolean
  readonly out?: string
}

const names = measures.map(({ name }) => name).join(', ')

/** Parses the command line. On a usage error, prints one sentence and ends the process with exit code 2. */
export function readOptions(argv: readonly string[], ownFolder: string): BenchOptions {
  const program = new Command('npm run bench --')
    .description('Measures the mock server, bare node:http and the installed third-party servers.')
    .option('--only <name...>', `run only these measures: ${names}`)
    .option('--quick', 'run short rounds, to check that everything works', false)
    .option(
      '--long',
      'include exports of 2 million records, which take many minutes and 6 GB of temporary files',
      false,
    )
    .option('--no-third-party', 'leave out the third-party servers')
    .option('--out <dir>', 'folder of RESULTS.md and results.json (default: bench, if all measures and servers run)')
    .addHelpText(
      'after',
      '\nExit code: 0 all goals are met, 1 a goal is missed, 2 usage error or a server that does not start.',
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(argv)
  const { only, quick, long, thirdParty, out } = program.opts<Flags>()
  const unknown = only?.filter((name) => !measures.some((measure) => measure.name === name)) ?? []
  if (unknown.length > 0) program.error(`error: unknown measure ${unknown.join(', ')}; expected ${names}`)
  const complete = only === undefined && !quick && thirdParty
  return {
    measures: only === undefined ? measures : measures.filter(({ name }) => only.includes(name)),
    quick,
    long,
    thirdParty,
    out: out ?? (complete ? ownFolder : undefined),
  }
}
