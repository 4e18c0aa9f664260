import { Command } from 'commander'
import { type ThirdPartyServer, thirdPartyServers } from './servers.ts'

/** Options of `npm run third-party`. */
export interface RunOptions {
  readonly servers: readonly ThirdPartyServer[]
  readonly repeat: number
  readonly busy: boolean
  readonly baseline: boolean
  readonly record: boolean
  readonly report: string
  readonly install: boolean
}

const names = thirdPartyServers.map(({ name }) => name).join(', ')

/** Parses the command line. On a usage error, prints one sentence and ends the process with exit code 2. */
export function readOptions(argv: readonly string[]): RunOptions {
  const program = new Command('npm run third-party --')
    .description(
      'Tests third-party servers with the test graphs deployed and compares the results with their baselines.',
    )
    .argument('[name...]', `servers to test: ${names}`)
    .option('--repeat <n>', 'run every check n times; verdicts that differ are flaky', '1')
    .option('--busy', 'keep every core busy during the run', false)
    .option('--no-baseline', 'report known failures as failures')
    .option('--record', 'save observations and report in the project (implies --no-baseline)', false)
    .option('--report <folder>', 'folder of the reports, one per server', 'reports/third-party')
    .option('--install', 'only install the servers', false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(argv)
  const { repeat, busy, baseline, record, report, install } = program.opts()
  const unknown = program.args.filter((arg) => !thirdPartyServers.some(({ name }) => name === arg))
  if (unknown.length > 0) program.error(`error: unknown server ${unknown.join(', ')}; expected ${names}`)
  if (!/^[1-9]\d*$/.test(repeat)) program.error(`error: --repeat: expected a positive integer, received ${repeat}`)
  const servers =
    program.args.length === 0 ? thirdPartyServers : thirdPartyServers.filter(({ name }) => program.args.includes(name))
  return { servers, repeat: Number(repeat), busy, baseline: baseline && !record, record, report, install }
}
