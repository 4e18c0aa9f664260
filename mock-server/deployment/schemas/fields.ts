import { z } from 'zod'
import { jsonObject } from '../../http/fields.ts'

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
  'events',
  'tools',
] as const
export type StreamMode = (typeof STREAM_MODES)[number]

/** The strategies for a run that is created while another one is in flight on its thread. */
export const MULTITASK_STRATEGIES = ['reject', 'enqueue', 'interrupt', 'rollback'] as const
export type MultitaskStrategy = (typeof MULTITASK_STRATEGIES)[number]

/** The statuses of a run: those of the specification and the public ones. */
export const RUN_STATUSES = ['pending', 'running', 'success', 'error', 'timeout', 'interrupted'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** `config` of a run or an assistant. */
export const config = z.looseObject({
  configurable: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  tags: z.array(z.string()).nullish(),
  recursion_limit: z.int().positive().nullish(),
})
export type Config = z.output<typeof config>

const NO_CHECKPOINTS = 'because the subgraphs of this server have no checkpoints'

/** A reference to a checkpoint. Without an id, it is the newest. */
export const checkpointReference = z.object({
  checkpoint_id: z.string().nullish(),
  checkpoint_ns: z.literal('', { error: `expected an empty text, ${NO_CHECKPOINTS}` }).nullish(),
  checkpoint_map: jsonObject
    .refine((map) => Object.keys(map).every((namespace) => namespace === ''), {
      error: `expected an object without namespaces, ${NO_CHECKPOINTS}`,
    })
    .nullish(),
})

/** When the checkpoints of a run are written: one after each step, or only the last one. */
export const DURABILITIES = ['sync', 'async', 'exit'] as const

/** The schema of what only LangSmith can do. */
export const noFeedbackKeys = z.array(z.string()).max(0, {
  error: 'expected no keys, because the URLs for feedback come from LangSmith, which this server does not have',
})

/** Returns the schema of a stream mode or several. */
export function streamModes(modes: readonly StreamMode[]): z.ZodType<StreamMode | StreamMode[]> {
  return z.union([z.enum(modes), z.array(z.enum(modes))], {
    error: `expected one of ${modes.join(', ')}, or an array of them`,
  })
}

/** Names of nodes, or `*` for all of them. */
export const nodeNames = z.union([z.literal('*'), z.array(z.string())], {
  error: 'expected an array of node names or "*"',
})
export type NodeNames = z.output<typeof nodeNames>

/** A node, or a node with an input of its own in place of the state. */
const destination = z.union(
  [
    z.string(),
    z
      // RemoteGraph of the JavaScript package names the input `args`.
      .object({ node: z.string(), input: jsonObject.nullish(), args: jsonObject.nullish() })
      .transform(({ node, input, args }) => ({ node, input: input ?? args })),
  ],
  { error: 'expected the name of a node, or an object with a node and an object as its input' },
)

const goto = z.union([destination, z.array(destination)], {
  error: 'expected a node: its name, or an object with a node and its input; or an array of these',
})

const update = z.union([z.array(z.tuple([z.string(), z.unknown()])), jsonObject], {
  error: 'expected an object, or an array of pairs of a channel and its value',
})

/** The command of a run without input. */
export const command = z.object({
  // The value that resumes the thread: an object by the id of the interrupt, or the value itself.
  resume: z.unknown().optional(),
  // Values to write first.
  update: update.nullish(),
  // The next nodes; an empty array is the same as none.
  goto: goto.nullish(),
})
export type Command = z.output<typeof command>

/** Like `command`, without arrays of both names and objects, and with the name of the class that the JavaScript SDK sends. */
export const uniformCommand: z.ZodType<Command> = command
  .extend({ lg_name: z.string().optional() })
  .refine((value) => new Set([value.goto ?? []].flat().map((destination) => typeof destination)).size <= 1, {
    path: ['goto'],
    error: 'expected an array of names or an array of objects',
  })
