import { z } from 'zod'
import type { ErrorKind } from '../../http/errors.ts'
import { jsonObject, uuid } from '../../http/fields.ts'
import { type EndpointSchemas, ok } from '../../http/route.ts'
import { config, MULTITASK_STRATEGIES, nodeNames, RUN_STATUSES, STREAM_MODES } from './fields.ts'

// The responses of the server, for its OpenAPI description and the names of fields to select only.
// The catalog of the suites describes the same fields separately, on purpose.

const timestamp = z.iso.datetime({ offset: true })

const toolCall = z.object({
  name: z.string(),
  args: jsonObject,
  id: z.string(),
  type: z.literal('tool_call'),
})

/** A stored message. */
const message: z.ZodType = z
  .object({
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
    additional_kwargs: jsonObject,
    response_metadata: jsonObject,
    type: z.enum(['human', 'ai', 'tool', 'system']),
    name: z.string().nullable(),
    id: z.string(),
    example: z.boolean(),
    tool_calls: z.array(toolCall).optional(),
    invalid_tool_calls: z.array(z.unknown()).optional(),
    usage_metadata: z
      .object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
      .nullable()
      .optional(),
    tool_call_id: z.string().optional(),
    artifact: z.unknown().optional(),
    status: z.enum(['success', 'error']).optional(),
  })
  .meta({ id: 'Message' })

const values = z.looseObject({ messages: z.array(message) })

const interrupts = z.array(z.object({ id: z.string(), value: z.unknown() }))

const threadObject = z.looseObject({
  thread_id: uuid,
  created_at: timestamp,
  updated_at: timestamp,
  metadata: jsonObject,
  status: z.enum(['idle', 'busy', 'interrupted', 'error']),
  config: jsonObject,
  values: values.nullable(),
  interrupts: z.record(z.string(), interrupts).optional(),
})

/** A thread. */
export const thread: z.ZodType = threadObject.meta({ id: 'Thread' })

/** A thread with the fields that the client selected. */
export const threadPart: z.ZodType = threadObject.partial().meta({ id: 'ThreadPart' })

const kwargs = z.looseObject({
  // By default an object or null. Some dialects store any value, or omit the field.
  input: z.unknown().optional(),
  config: z.looseObject({
    metadata: z.looseObject({ created_by: z.string() }),
    configurable: z.looseObject({
      run_id: uuid,
      user_id: z.string(),
      graph_id: z.string(),
      thread_id: uuid,
      assistant_id: uuid,
      checkpoint_id: z.string().nullable(),
    }),
  }),
  webhook: z.string().nullable(),
  temporary: z.boolean(),
  stream_mode: z.array(z.enum(STREAM_MODES)),
  feedback_keys: z.array(z.string()).nullable(),
  interrupt_after: nodeNames.nullable(),
  interrupt_before: nodeNames.nullable(),
})

const runObject = z.looseObject({
  run_id: uuid,
  thread_id: uuid,
  assistant_id: uuid,
  created_at: timestamp,
  updated_at: timestamp,
  metadata: jsonObject,
  status: z.enum(RUN_STATUSES),
  kwargs,
  multitask_strategy: z.enum(MULTITASK_STRATEGIES),
})

/** A run. */
export const run: z.ZodType = runObject.meta({ id: 'Run' })

/** A run with the fields that the client selected. */
export const runPart: z.ZodType = runObject.partial().meta({ id: 'RunPart' })

export const assistantObject = z.looseObject({
  assistant_id: uuid,
  graph_id: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  config,
  metadata: jsonObject,
  context: jsonObject,
  version: z.int(),
  name: z.string(),
  description: z.string().nullable(),
})

/** An assistant. */
export const assistant: z.ZodType = assistantObject.meta({ id: 'Assistant' })

/** An assistant with the fields that the client selected. */
export const assistantPart: z.ZodType = assistantObject.partial().meta({ id: 'AssistantPart' })

const checkpoint = z.object({
  thread_id: uuid,
  checkpoint_ns: z.string(),
  checkpoint_id: z.string(),
  checkpoint_map: z.null().optional(),
})

export const cronObject = z.looseObject({
  cron_id: uuid,
  assistant_id: uuid,
  thread_id: uuid.nullable(),
  on_run_completed: z.enum(['delete', 'keep']).nullable(),
  end_time: timestamp.nullable(),
  schedule: z.string(),
  timezone: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  user_id: z.string(),
  payload: jsonObject,
  next_run_date: timestamp.nullable(),
  metadata: jsonObject,
  enabled: z.boolean(),
})

/** A cron. */
export const cron: z.ZodType = cronObject.meta({ id: 'Cron' })

/** A cron with the fields that the client selected. */
export const cronPart: z.ZodType = cronObject.partial().meta({ id: 'CronPart' })

/** An item of the store. */
export const item: z.ZodType = z
  .object({
    namespace: z.array(z.string()),
    key: z.string(),
    value: jsonObject,
    created_at: timestamp,
    updated_at: timestamp,
    score: z.null().optional(),
  })
  .meta({ id: 'Item' })

/** The state of a thread. */
export const threadState: z.ZodType = z
  .looseObject({
    values: z.looseObject({}),
    next: z.array(z.string()),
    tasks: z.array(z.looseObject({ id: z.string(), name: z.string(), interrupts })),
    interrupts: interrupts.optional(),
    // In some dialects, the state before the first run has no metadata and no ids.
    metadata: jsonObject.nullish(),
    created_at: timestamp.nullable(),
    checkpoint_id: z.string().nullish(),
    parent_checkpoint_id: z.string().nullish(),
    checkpoint: checkpoint.nullable(),
    parent_checkpoint: checkpoint.nullable(),
  })
  .meta({ id: 'ThreadState' })

/** The nodes and edges of a graph. */
export const graph: z.ZodType = z.object({
  nodes: z.array(z.looseObject({ id: z.string(), type: z.string().optional() })),
  edges: z.array(z.object({ source: z.string(), target: z.string(), conditional: z.boolean().optional() })),
})

/** JSON Schemas of a graph's input, output and state. */
export const graphSchemas: z.ZodType = z.object({
  graph_id: z.string(),
  input_schema: jsonObject,
  output_schema: jsonObject,
  state_schema: jsonObject,
  config_schema: jsonObject,
  context_schema: jsonObject,
})

/** The errors of creating a run without a thread. */
export const STATELESS_CREATE_ERRORS: readonly ErrorKind[] = [
  'assistant-not-found',
  'invalid-assistant',
  'graph-not-found',
]

/** The errors of creating a run on a thread. */
export const CREATE_ERRORS: readonly ErrorKind[] = [
  ...STATELESS_CREATE_ERRORS,
  'thread-not-found',
  'thread-of-new-run-not-found',
  'thread-busy',
]

export const eventStream: EndpointSchemas['responses'] = {
  '200': {
    description: 'Server-sent events; the first one of a run is `metadata` with the `run_id`',
    content: { 'text/event-stream': { schema: z.unknown() } },
  },
}

export const outcome: EndpointSchemas['responses'] = ok(
  'The values after the run; with `__error__` if it failed, with `__interrupt__` if it was interrupted',
  z.looseObject({}),
)

export const lastEventIdHeader: z.ZodObject = z.object({ 'Last-Event-ID': z.string().optional() })
