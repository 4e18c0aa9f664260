import { z } from 'zod'
import { type JsonObject, jsonObject, type Nullish } from '../../http/fields.ts'

// Requests of the second stream protocol. The specification does not mention it; the public package
// @langchain/protocol does.

/** The channels of events. A custom channel can also be named, as in `custom:progress`. */
const CHANNELS = [
  'values',
  'updates',
  'checkpoints',
  'messages',
  'tools',
  'custom',
  'lifecycle',
  'input',
  'tasks',
] as const

export type Channel = (typeof CHANNELS)[number]

/** Body of `POST /threads/{thread_id}/stream/events`. */
export interface EventFilter {
  channels: string[]
  /** Only events at or below one of these namespaces. */
  namespaces?: Nullish<string[][]>
  /** How many levels below these namespaces. */
  depth?: Nullish<number>
  /** Only events after the one with this sequence number. */
  since?: Nullish<number>
}

const channel = z.string().refine((name) => /^custom:./.test(name) || CHANNELS.some((known) => known === name), {
  error: `expected one of ${CHANNELS.join(', ')}, or custom:NAME`,
})

export const eventFilter: z.ZodType<EventFilter> = z.object({
  channels: z.array(channel).min(1, { error: 'expected at least one channel' }),
  namespaces: z.array(z.array(z.string())).nullish(),
  depth: z.int().min(0).nullish(),
  since: z.int().min(0).nullish(),
})

/** Body of `POST /threads/{thread_id}/commands`. */
export interface ProtocolCommand {
  id: number
  method: string
  params?: Nullish<JsonObject>
}

export const protocolCommand: z.ZodType<ProtocolCommand> = z.object({
  id: z.int().min(0),
  method: z.string(),
  params: jsonObject.nullish(),
})

const namespace = z.array(z.string()).nullish()
const interrupted = { namespace, interrupt_id: z.string(), response: z.unknown().optional() }
const resumed = {
  update: z.unknown().optional(),
  goto: z.unknown().optional(),
  config: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
}

/** Parameters of `run.start`. The fields of a run are validated as those of a new run. */
export interface RunStart {
  assistant_id: string
  input?: unknown
  config?: Nullish<JsonObject>
  metadata?: Nullish<JsonObject>
  multitaskStrategy?: unknown
}

export const runStart: z.ZodType<RunStart> = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  config: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  multitaskStrategy: z.unknown().optional(),
})

/** A response to one interrupt. */
interface InterruptResponse {
  interrupt_id: string
  response?: unknown
}

/** Parameters of `input.respond`. */
export interface InputRespond {
  responses: InterruptResponse[]
  update?: unknown
  goto?: unknown
  config?: Nullish<JsonObject>
  metadata?: Nullish<JsonObject>
}

export const inputRespond: z.ZodType<InputRespond> = z.union(
  [
    z.object({ responses: z.array(z.object(interrupted)).min(1), ...resumed }),
    z.object({ ...interrupted, ...resumed }).transform(({ interrupt_id, response, ...rest }) => ({
      responses: [{ interrupt_id, response }],
      ...rest,
    })),
  ],
  { error: 'expected an interrupt_id with a response, or an array of them as responses' },
)

/** Parameters of `state.get`. */
export const stateGet: z.ZodType<{ keys?: Nullish<string[]> }> = z.object({ keys: z.array(z.string()).nullish() })

/** Parameters of `state.listCheckpoints`. */
export interface CheckpointList {
  limit?: Nullish<number>
  before?: Nullish<string>
}

export const checkpointList: z.ZodType<CheckpointList> = z.object({
  limit: z.int().min(1).max(1000).nullish(),
  before: z.string().nullish(),
})

/** Parameters of `state.fork`. */
export interface StateFork {
  checkpoint_id: string
  input?: unknown
  config?: Nullish<JsonObject>
}

export const stateFork: z.ZodType<StateFork> = z.object({
  checkpoint_id: z.string(),
  input: z.unknown().optional(),
  config: jsonObject.nullish(),
})
