import { extname } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { MockServerOptions } from '../../mock-server/options.ts'
import type { Scenario } from '../../mock-server/scripting/scenario.ts'
import { UsageError } from '../../suites/values/usage-error.ts'
import { recordMissing } from './missing.ts'

/** The options of `touchstone serve` for recordings. */
export interface ReplayFlags {
  readonly scenario?: string
  readonly speed?: number
  readonly recordMissing?: true
  readonly target?: string
}

/** The options of a mock server for a recording. */
interface PreparedReplay {
  readonly options: Pick<MockServerOptions, 'replay'>
  /** Writes the added requests into the scenario file. Returns a summary for the user. */
  stop(): Promise<string>
}

/** Adds the options of recordings to a command. */
export function withReplayOptions(command: Command): Command {
  return command
    .option('--speed <factor>', 'replay a recording this many times faster; 0 for no delays (default: 1)', parseSpeed)
    .option('--record-missing', 'send requests that the recording lacks to --target, and add them to the scenario file')
    .option('--target <url>', 'base URL of the server for --record-missing')
}

/** Converts the options of the command line. Throws UsageError. */
export async function prepareReplay(flags: ReplayFlags, scenario: Scenario | undefined): Promise<PreparedReplay> {
  const { scenario: file = '', speed, recordMissing: recordsMissing, target } = flags
  if (target !== undefined && !recordsMissing) throw new UsageError('`--target` requires `--record-missing`')
  if (recordsMissing && target === undefined) throw new UsageError('`--record-missing` requires `--target`')
  if (speed === undefined && target === undefined) return { options: {}, stop: async () => '' }
  if (scenario?.recording === undefined || extname(file) !== '.json') {
    throw new UsageError(
      `--scenario: expected a recording for ${target === undefined ? '--speed' : '--record-missing'}, received ${file === '' ? 'nothing' : file}. Name the scenario.json that "touchstone record" wrote.`,
    )
  }
  const missing = target === undefined ? undefined : await recordMissing(file, target)
  return {
    options: { replay: { ...(speed !== undefined && { speed }), ...(missing && { onMissing: missing.forward }) } },
    stop: async () => (await missing?.stop()) ?? '',
  }
}

function parseSpeed(text: string): number {
  const factor = Number(text)
  if (text.trim() !== '' && factor >= 0 && factor <= 1000) return factor
  throw new InvalidArgumentError('Expected a number from 0 to 1000.')
}
