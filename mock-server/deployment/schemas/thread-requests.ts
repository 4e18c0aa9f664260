import { z } from 'zod'
import { fieldNames, jsonObject, pageLimit, pageOffset, queryLimit, SORT_ORDERS, uuid } from '../../http/fields.ts'
import { checkpointReference } from './fields.ts'

// Requests of the public API for threads that the specification does not mention.

const THREAD_STATUSES = ['idle', 'busy', 'interrupted', 'error'] as const
const THREAD_ORDERS = ['thread_id', 'status', 'created_at', 'updated_at', 'state_updated_at'] as const

/** Conditions of a thread search, which must all hold. Body of `POST /threads/count`. */
export const threadFilter = z.object({
  metadata: jsonObject.nullish(),
  values: jsonObject.nullish(),
  status: z.enum(THREAD_STATUSES).nullish(),
  ids: z.array(uuid).nullish(),
})
export type ThreadFilter = z.output<typeof threadFilter>

const THREAD_FIELDS = [
  'thread_id',
  'created_at',
  'updated_at',
  'state_updated_at',
  'metadata',
  'config',
  'status',
  'values',
  'interrupts',
  'error',
] as const

const EXTRACTED = /^(values|metadata|config|interrupts)(\.[^.[\]]+|\[-?\d+\])*$/
const MOST_EXTRACTED = 10

/** Body of `POST /threads/search`. */
export const threadSearch = threadFilter.extend({
  limit: pageLimit,
  offset: pageOffset,
  sort_by: z.enum(THREAD_ORDERS).nullish(),
  sort_order: z.enum(SORT_ORDERS).nullish(),
  select: fieldNames(THREAD_FIELDS).nullish(),
  extract: z
    .record(z.string(), z.string().regex(EXTRACTED, { error: 'expected a path such as values.messages[-1].content' }))
    .refine((paths) => Object.keys(paths).length <= MOST_EXTRACTED, {
      error: `expected at most ${MOST_EXTRACTED} paths`,
    })
    .nullish(),
})
export type ThreadSearch = z.output<typeof threadSearch>

/** The schema of the lifetime of a thread, which this server does not offer. */
export const noTtl = z
  .null({ error: 'expected no ttl, because this server keeps threads until they are deleted' })
  .optional()

/** Body of `PATCH /threads/{thread_id}`. */
export const threadPatch = z.object({ metadata: jsonObject.nullish(), ttl: noTtl })

/** Body of `POST /threads/prune`. */
export const threadPrune = z.object({
  thread_ids: z.array(uuid),
  strategy: z.enum(['delete', 'keep_latest']).default('delete'),
})

/** Values to write into a state, and the node that counts as their author. */
const stateWrite = z.object({
  values: z.union([jsonObject, z.array(jsonObject)], { error: 'expected an object, or an array of them' }).nullish(),
  as_node: z.string().nullish(),
})
export type StateWrite = z.output<typeof stateWrite>

/** A step with which a thread is created, by one or more nodes. */
export const superstep = z.object({ updates: z.array(stateWrite).min(1) })

/** Body of `POST /threads/{thread_id}/state`. */
export const stateUpdate = stateWrite.extend({
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
})

/** Body of `POST /threads/{thread_id}/state/checkpoint`. */
export const stateAt = z.object({ checkpoint: checkpointReference })

/** Body of `POST /threads/{thread_id}/history`. */
export const historySearch = z.object({
  limit: pageLimit,
  // A checkpoint by its id, by a reference, or by the configuration of a run that starts there.
  before: z
    .union(
      [z.string(), z.object({ checkpoint_id: z.string().nullish(), configurable: checkpointReference.nullish() })],
      { error: 'expected a checkpoint id, or an object with one' },
    )
    .nullish(),
  metadata: jsonObject.nullish(),
  checkpoint: checkpointReference.nullish(),
})
export type HistorySearch = z.output<typeof historySearch>

/** Query of `GET /threads/{thread_id}/history`. */
export const historyList = z.object({ limit: queryLimit, before: z.string().optional() })
