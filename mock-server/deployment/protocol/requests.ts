import { z } from 'zod'
import { jsonObject } from '../../http/fields.ts'

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

const channel = z.string().refine((name) => /^custom:./.test(name) || CHANNELS.some((known) => known === name), {
  error: `expected one of ${CHANNELS.join(', ')}, or custom:NAME`,
})

/** Body of `POST /threads/{thread_id}/stream/events`. */
export const eventFilter = z.object({
  channels: z.array(channel).min(1, { error: 'expected at least one channel' }),
  // Only events at or below one of these namespaces.
  namespaces: z.array(z.array(z.string())).nullish(),
  // How many levels below these namespaces.
  depth: z.int().min(0).nullish(),
  // Only events after the one with this sequence number.
  since: z.int().min(0).nullish(),
})
export type EventFilter = z.output<typeof eventFilter>

/** Body of `POST /threads/{thread_id}/commands`. */
export const protocolCommand = z.object({
  id: z.int().min(0),
  method: z.string(),
  params: jsonObject.nullish(),
})
export type ProtocolCommand = z.output<typeof protocolCommand>

const namespace = z.array(z.string()).nullish()
const interrupted = { namespace, interrupt_id: z.string(), response: z.unknown().optional() }
const resumed = {
  update: z.unknown().optional(),
  goto: z.unknown().optional(),
  config: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
}

/** Parameters of `run.start`. The fields of a run are validated as those of a new run. */
export const runStart = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  config: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  multitaskStrategy: z.unknown().optional(),
})
export type RunStart = z.output<typeof runStart>

/** Parameters of `input.respond`. */
export const inputRespond = z.union(
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
export const stateGet = z.object({ keys: z.array(z.string()).nullish() })

/** Parameters of `state.listCheckpoints`. */
export const checkpointList = z.object({
  limit: z.int().min(1).max(1000).nullish(),
  before: z.string().nullish(),
})

/** Parameters of `state.fork`. */
export const stateFork = z.object({
  checkpoint_id: z.string(),
  input: z.unknown().optional(),
  config: jsonObject.nullish(),
})
