import { z } from 'zod'
import { type JsonObject, jsonObject, type Nullish } from '../../http/fields.ts'

/** The stream modes of a run. */
export const STREAM_MODES = [
  'values',
  'updates',
  'messages',
  'messages-tuple',
  'custom',
  'debug',
  'tasks',
  'checkpoints',
] as const
export type StreamMode = (typeof STREAM_MODES)[number]

/** The strategies for a run that is created while another one is in flight on its thread. */
export const MULTITASK_STRATEGIES = ['reject', 'enqueue', 'interrupt', 'rollback'] as const
export type MultitaskStrategy = (typeof MULTITASK_STRATEGIES)[number]

/** The statuses of a run: those of the specification and the public ones. */
export const RUN_STATUSES = ['pending', 'running', 'success', 'error', 'timeout', 'interrupted'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** `config` of a run or an assistant. */
export interface Config {
  configurable?: Nullish<JsonObject>
  metadata?: Nullish<JsonObject>
  tags?: Nullish<string[]>
  recursion_limit?: Nullish<number>
  [field: string]: unknown
}

export const config: z.ZodType<Config> = z.looseObject({
  configurable: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  tags: z.array(z.string()).nullish(),
  recursion_limit: z.int().positive().nullish(),
})

/** A reference to a checkpoint. Without an id, it is the newest. */
export interface CheckpointReference {
  checkpoint_id?: Nullish<string>
}

export const checkpointReference: z.ZodType<CheckpointReference> = z.object({ checkpoint_id: z.string().nullish() })

export const streamMode: z.ZodType<StreamMode | StreamMode[]> = z.union(
  [z.enum(STREAM_MODES), z.array(z.enum(STREAM_MODES))],
  { error: `expected one of ${STREAM_MODES.join(', ')}, or an array of them` },
)

/** Names of nodes, or `*` for all of them. */
export type NodeNames = string[] | '*'

export const nodeNames: z.ZodType<NodeNames> = z.union([z.literal('*'), z.array(z.string())], {
  error: 'expected an array of node names or "*"',
})

/** The command of a run without input. */
export interface Command {
  /** The value that resumes the thread: an object by the id of the interrupt, or the value itself. */
  resume?: unknown
  /** Values to write first. */
  update?: Nullish<JsonObject | [string, unknown][]>
  /** The next node. */
  goto?: Nullish<string | string[]>
}

const goto: z.ZodType<string | string[]> = z.union([z.string(), z.array(z.string()).length(1)], {
  error: 'expected the name of one node (this server does not run several nodes at once, or nodes with separate input)',
})

const update: z.ZodType<JsonObject | [string, unknown][]> = z.union(
  [z.array(z.tuple([z.string(), z.unknown()])), jsonObject],
  { error: 'expected an object, or an array of pairs of a channel and its value' },
)

export const command: z.ZodType<Command> = z.object({
  resume: z.unknown().optional(),
  update: update.nullish(),
  goto: goto.nullish(),
})
