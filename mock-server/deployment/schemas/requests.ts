import { z } from 'zod'
import {
  anyQueryNumber,
  DEFAULT_PAGE,
  type JsonObject,
  jsonObject,
  type Nullish,
  queryLimit,
  queryList,
  queryOffset,
  uuid,
} from '../../http/fields.ts'
import {
  type CheckpointReference,
  type Command,
  type Config,
  checkpointReference,
  command,
  config,
  DURABILITIES,
  type Durability,
  MULTITASK_STRATEGIES,
  type MultitaskStrategy,
  type NodeNames,
  nodeNames,
  noFeedbackKeys,
  RUN_STATUSES,
  STREAM_MODES,
  type StreamMode,
  streamModes,
} from './fields.ts'
import { noTtl, type Superstep, superstep } from './thread-requests.ts'

/** Body of `POST /threads`. */
export interface ThreadCreate {
  thread_id?: string | undefined
  metadata?: Nullish<JsonObject>
  if_exists?: 'raise' | 'do_nothing' | undefined
  supersteps?: Nullish<Superstep[]>
  ttl?: null | undefined
}

export const threadCreate: z.ZodType<ThreadCreate> = z.object({
  thread_id: uuid.optional(),
  metadata: jsonObject.nullish(),
  if_exists: z.enum(['raise', 'do_nothing']).optional(),
  supersteps: z.array(superstep).nullish(),
  ttl: noTtl,
})

/** Query of `GET /threads`. */
export interface ThreadList {
  limit: number
  offset: number
}

export const threadList: z.ZodType<ThreadList> = z.object({ limit: queryLimit, offset: queryOffset })

/** Body of `POST /threads/{thread_id}/runs` and of `…/runs/stream`. */
export interface RunCreate {
  assistant_id: string
  /** An object, unless the dialect accepts anything. */
  input?: unknown
  multitask_strategy?: MultitaskStrategy | undefined
  config?: Nullish<Config>
  metadata?: Nullish<JsonObject>
  context?: Nullish<JsonObject>
  command?: Nullish<Command>
  checkpoint_id?: Nullish<string>
  checkpoint?: Nullish<CheckpointReference>
  stream_mode?: Nullish<StreamMode | StreamMode[]>
  stream_subgraphs?: Nullish<boolean>
  stream_resumable?: Nullish<boolean>
  on_disconnect?: Nullish<'cancel' | 'continue'>
  on_completion?: Nullish<'delete' | 'keep'>
  if_not_exists?: Nullish<'create' | 'reject'>
  after_seconds?: Nullish<number>
  webhook?: Nullish<string>
  feedback_keys?: Nullish<string[]>
  durability?: Nullish<Durability>
  checkpoint_during?: Nullish<boolean>
  interrupt_before?: Nullish<NodeNames>
  interrupt_after?: Nullish<NodeNames>
}

const runCreateObject = z.object({
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

export const runCreate: z.ZodType<RunCreate> = runCreateObject

/** What differs between the requests of the public servers. */
interface RunCreateVariant {
  readonly streamModes?: readonly StreamMode[]
  readonly command?: z.ZodType<Command>
}

/** Like `runCreate`, with an input of any type, which fails the run, and its own schema of some fields. */
export function lenientRunCreate(variant: RunCreateVariant = {}): z.ZodType<RunCreate> {
  const { streamModes: modes = STREAM_MODES, command: commandSchema = command } = variant
  return runCreateObject.extend({
    command: commandSchema.nullish(),
    input: z.unknown().optional(),
    stream_mode: streamModes(modes).nullish(),
  })
}

/** Query of `GET /threads/{thread_id}/runs`. */
export interface RunList {
  limit: number
  offset: number
  status?: string | undefined
  select?: string[] | undefined
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

export const runList: z.ZodType<RunList> = z.object({
  limit: queryLimit,
  offset: queryOffset,
  status: z.enum(RUN_STATUSES).optional(),
  select,
})

/** Like `runList`, with pages of any size and unknown statuses. */
export const lenientRunList: z.ZodType<RunList> = z.object({
  limit: anyQueryNumber(DEFAULT_PAGE),
  offset: anyQueryNumber(0),
  status: z.string().optional(),
  select,
})
