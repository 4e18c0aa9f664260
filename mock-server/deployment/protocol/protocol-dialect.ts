import type { ErrorKind } from '../../http/errors.ts'
import type { RunError } from '../checkpoint.ts'
import type { ArgumentsDelta } from './content-blocks.ts'
import type { Channel } from './requests.ts'

/** Every command of the protocol. */
export const COMMAND_NAMES = [
  'run.start',
  'input.respond',
  'input.inject',
  'agent.getTree',
  'state.get',
  'state.listCheckpoints',
  'state.fork',
  'subscription.subscribe',
  'subscription.unsubscribe',
  'subscription.reconnect',
] as const

/** The name of a command. */
export type CommandName = (typeof COMMAND_NAMES)[number]

/** The codes of errors. */
export type ProtocolErrorCode =
  | 'invalid_argument'
  | 'unknown_command'
  | 'unknown_error'
  | 'no_such_run'
  | 'no_such_interrupt'
  | 'no_such_checkpoint'
  | 'permission_denied'
  | 'not_supported'

/** What differs between the events of the public servers. */
export interface ProtocolStyle {
  /** Whether messages are in the namespace of their node, which has a lifecycle of its own. */
  readonly hasNodeNamespaces: boolean
  /** Whether messages that were not streamed have events. */
  readonly sendsWholeMessages: boolean
  readonly argumentsDelta: ArgumentsDelta
  /** Channels without events. */
  readonly emptyChannels: readonly Channel[]
  /** Returns the `error` of a run that has failed. */
  readonly errorText: (error: RunError) => string
}

/** The second stream protocol of a dialect. */
export interface ProtocolDialect {
  readonly commands: readonly CommandName[]
  /** The code of an error in a response with status 200; undefined for errors with an HTTP status. */
  readonly errorCode: (kind: ErrorKind) => ProtocolErrorCode | undefined
  readonly style: ProtocolStyle
  /** What the `id:` line of an event has. */
  readonly frameId: 'event_id' | 'seq'
}

/** The code of each kind of error; undefined for those that have an HTTP status of their own. */
export function usualErrorCode(kind: ErrorKind): ProtocolErrorCode | undefined {
  if (kind === 'unauthorized' || kind === 'forbidden') return undefined
  if (kind === 'thread-not-found') return 'no_such_run'
  if (kind === 'checkpoint-not-found') return 'no_such_checkpoint'
  return 'invalid_argument'
}
