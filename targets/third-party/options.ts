import { Command } from 'commander'
import { peers } from './all.ts'
import type { Peer } from './peer.ts'

/** What `npm run peers` is asked for. */
export interface PeersOptions {
  readonly peers: readonly Peer[]
  readonly repeat: number
  readonly busy: boolean
  readonly baseline: boolean
  readonly record: boolean
  readonly install: boolean
}

const names = peers.map(({ name }) => name).join(', ')

/** Reads the command line; what it cannot use ends the process with one sentence and exit code 2. */
export function readOptions(argv: readonly string[]): PeersOptions {
  const program = new Command('npm run peers --')
    .description('Judges public servers with the test graphs deployed and compares with what is known of them.')
    .argument('[name...]', `which of ${names}`)
    .option('--repeat <n>', 'run every check n times; verdicts that differ are flaky', '1')
    .option('--busy', 'keep every core busy meanwhile', false)
    .option('--no-baseline', 'judge known failures as failures')
    .option('--record', 'keep observations and report in the project (implies --no-baseline)', false)
    .option('--install', 'only install the servers', false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(argv)
  const { repeat, busy, baseline, record, install } = program.opts()
  const unknown = program.args.filter((name) => !peers.some((peer) => peer.name === name))
  if (unknown.length > 0) program.error(`error: no peer is called ${unknown.join(', ')}; expected ${names}`)
  if (!/^[1-9]\d*$/.test(repeat)) program.error(`error: --repeat ${repeat}: expected a whole number from 1`)
  const chosen = program.args.length === 0 ? peers : peers.filter(({ name }) => program.args.includes(name))
  return { peers: chosen, repeat: Number(repeat), busy, baseline: baseline && !record, record, install }
}
