import { z } from 'zod'
import {
  anyQueryNumber,
  DEFAULT_PAGE,
  jsonObject,
  queryLimit,
  queryList,
  queryOffset,
  uuid,
} from '../../http/fields.ts'
import {
  type Command,
  checkpointReference,
  command,
  config,
  DURABILITIES,
  MULTITASK_STRATEGIES,
  nodeNames,
  noFeedbackKeys,
  RUN_STATUSES,
  STREAM_MODES,
  type StreamMode,
  streamModes,
} from './fields.ts'
import { noTtl, superstep } from './thread-requests.ts'

/** Body of `POST /threads`. */
export const threadCreate = z.object({
  thread_id: uuid.optional(),
  metadata: jsonObject.nullish(),
  if_exists: z.enum(['raise', 'do_nothing']).optional(),
  supersteps: z.array(superstep).nullish(),
  ttl: noTtl,
})
export type ThreadCreate = z.output<typeof threadCreate>

/** Query of `GET /threads`. */
export const threadList = z.object({ limit: queryLimit, offset: queryOffset })

/** Body of `POST /threads/{thread_id}/runs` and of `…/runs/stream`. */
export const runCreate = z.object({
  assistant_id: z.string(),
  input: jsonObject.nullish(),
  multitask_strategy: z.enum(MULTITASK_STRATEGIES).optional(),
  config: config.nullish(),
  metadata: jsonObject.nullish(),
  context: jsonObject.nullish(),
  command: command.nullish(),
  checkpoint_id: z.string().nullish(),
  checkpoint: checkpointReference.nullish(),
  stream_mode: streamModes(STREAM_MODES).nullish(),
  stream_subgraphs: z.boolean().nullish(),
  stream_resumable: z.boolean().nullish(),
  on_disconnect: z.enum(['cancel', 'continue']).nullish(),
  on_completion: z.enum(['delete', 'keep']).nullish(),
  if_not_exists: z.enum(['create', 'reject']).nullish(),
  after_seconds: z.number().min(0).nullish(),
  webhook: z.string().nullish(),
  feedback_keys: noFeedbackKeys.nullish(),
  durability: z.enum(DURABILITIES).nullish(),
  checkpoint_during: z.boolean().nullish(),
  interrupt_before: nodeNames.nullish(),
  interrupt_after: nodeNames.nullish(),
})

/** `input` is an object, unless the dialect accepts anything. */
export type RunCreate = Omit<z.output<typeof runCreate>, 'input'> & { input?: unknown }

/** What differs between the requests of the public servers. */
interface RunCreateVariant {
  readonly streamModes?: readonly StreamMode[]
  readonly command?: z.ZodType<Command>
}

/** Like `runCreate`, with an input of any type, which fails the run, and its own schema of some fields. */
export function lenientRunCreate(variant: RunCreateVariant = {}): z.ZodType<RunCreate> {
  const { streamModes: modes = STREAM_MODES, command: commandSchema = command } = variant
  return runCreate.extend({
    command: commandSchema.nullish(),
    input: z.unknown().optional(),
    stream_mode: streamModes(modes).nullish(),
  })
}

const select = queryList([
  'run_id',
  'thread_id',
  'assistant_id',
  'created_at',
  'updated_at',
  'metadata',
  'status',
  'kwargs',
  'multitask_strategy',
  'langsmith_session_name',
])

/** Query of `GET /threads/{thread_id}/runs`. */
export const runList = z.object({
  limit: queryLimit,
  offset: queryOffset,
  status: z.enum(RUN_STATUSES).optional(),
  select,
})

/** Like `runList`, with pages of any size and unknown statuses. */
export const lenientRunList = z.object({
  limit: anyQueryNumber(DEFAULT_PAGE),
  offset: anyQueryNumber(0),
  status: z.string().optional(),
  select,
})
export type RunList = z.output<typeof lenientRunList>
