import { z } from 'zod'
import {
  fieldNames,
  type JsonObject,
  jsonObject,
  type Nullish,
  pageLimit,
  pageOffset,
  queryLimit,
  SORT_ORDERS,
  type SortOrder,
  uuid,
} from '../../http/fields.ts'
import { type CheckpointReference, checkpointReference } from './fields.ts'

// Requests of the public API for threads that the specification does not mention.

const THREAD_STATUSES = ['idle', 'busy', 'interrupted', 'error'] as const
const THREAD_ORDERS = ['thread_id', 'status', 'created_at', 'updated_at', 'state_updated_at'] as const

/** Conditions of a thread search, which must all hold. */
export interface ThreadFilter {
  metadata?: Nullish<JsonObject>
  values?: Nullish<JsonObject>
  status?: Nullish<(typeof THREAD_STATUSES)[number]>
  ids?: Nullish<string[]>
}

const threadFilter = {
  metadata: jsonObject.nullish(),
  values: jsonObject.nullish(),
  status: z.enum(THREAD_STATUSES).nullish(),
  ids: z.array(uuid).nullish(),
}

/** Body of `POST /threads/search`. */
export interface ThreadSearch extends ThreadFilter {
  limit: number
  offset: number
  sort_by?: Nullish<(typeof THREAD_ORDERS)[number]>
  sort_order?: Nullish<SortOrder>
  select?: Nullish<string[]>
  extract?: Nullish<Record<string, string>>
}

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

export const threadSearch: z.ZodType<ThreadSearch> = z.object({
  ...threadFilter,
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

/** Body of `POST /threads/count`. */
export const threadCount: z.ZodType<ThreadFilter> = z.object(threadFilter)

/** Body of `PATCH /threads/{thread_id}`. */
export interface ThreadPatch {
  metadata?: Nullish<JsonObject>
  ttl?: null | undefined
}

/** The schema of the lifetime of a thread, which this server does not offer. */
export const noTtl: z.ZodType<null | undefined> = z
  .null({ error: 'expected no ttl, because this server keeps threads until they are deleted' })
  .optional()

export const threadPatch: z.ZodType<ThreadPatch> = z.object({ metadata: jsonObject.nullish(), ttl: noTtl })

/** Body of `POST /threads/prune`. */
export interface ThreadPrune {
  thread_ids: string[]
  strategy: 'delete' | 'keep_latest'
}

export const threadPrune: z.ZodType<ThreadPrune> = z.object({
  thread_ids: z.array(uuid),
  strategy: z.enum(['delete', 'keep_latest']).default('delete'),
})

/** Values to write into a state, and the node that counts as their author. */
export interface StateWrite {
  values?: Nullish<JsonObject | JsonObject[]>
  as_node?: Nullish<string>
}

const stateWrite = {
  values: z.union([jsonObject, z.array(jsonObject)], { error: 'expected an object, or an array of them' }).nullish(),
  as_node: z.string().nullish(),
}

/** A step with which a thread is created, by one or more nodes. */
export interface Superstep {
  updates: StateWrite[]
}

export const superstep: z.ZodType<Superstep> = z.object({ updates: z.array(z.object(stateWrite)).min(1) })

/** Body of `POST /threads/{thread_id}/state`. */
export interface StateUpdate extends StateWrite {
  checkpoint?: Nullish<CheckpointReference>
  checkpoint_id?: Nullish<string>
}

export const stateUpdate: z.ZodType<StateUpdate> = z.object({
  ...stateWrite,
  checkpoint: checkpointReference.nullish(),
  checkpoint_id: z.string().nullish(),
})

/** Body of `POST /threads/{thread_id}/state/checkpoint`. */
export interface StateAt {
  checkpoint: CheckpointReference
}

export const stateAt: z.ZodType<StateAt> = z.object({ checkpoint: checkpointReference })

/** A checkpoint by its id, by a reference, or by the configuration of a run that starts there. */
type Before = string | { checkpoint_id?: Nullish<string>; configurable?: Nullish<CheckpointReference> }

/** Body of `POST /threads/{thread_id}/history`. */
export interface HistorySearch {
  limit: number
  before?: Nullish<Before>
  metadata?: Nullish<JsonObject>
  checkpoint?: Nullish<CheckpointReference>
}

export const historySearch: z.ZodType<HistorySearch> = z.object({
  limit: pageLimit,
  before: z
    .union(
      [z.string(), z.object({ checkpoint_id: z.string().nullish(), configurable: checkpointReference.nullish() })],
      {
        error: 'expected a checkpoint id, or an object with one',
      },
    )
    .nullish(),
  metadata: jsonObject.nullish(),
  checkpoint: checkpointReference.nullish(),
})

/** Query of `GET /threads/{thread_id}/history`. */
export const historyList: z.ZodType<HistorySearch> = z.object({ limit: queryLimit, before: z.string().optional() })
