import { z } from 'zod'
import {
  fieldNames,
  type JsonObject,
  jsonObject,
  type Nullish,
  pageLimit,
  pageOffset,
  SORT_ORDERS,
  type SortOrder,
  uuid,
} from '../../http/fields.ts'
import { type Config, config } from './fields.ts'

const ASSISTANT_FIELDS = [
  'assistant_id',
  'graph_id',
  'created_at',
  'updated_at',
  'config',
  'metadata',
  'context',
  'version',
  'name',
  'description',
] as const
const ASSISTANT_ORDERS = ['assistant_id', 'graph_id', 'name', 'created_at', 'updated_at'] as const

/** Body of `POST /assistants`. */
export interface AssistantCreate {
  graph_id: string
  assistant_id?: Nullish<string>
  config?: Nullish<Config>
  context?: Nullish<JsonObject>
  metadata?: Nullish<JsonObject>
  if_exists?: Nullish<'raise' | 'do_nothing'>
  name?: Nullish<string>
  description?: Nullish<string>
}

export const assistantCreate: z.ZodType<AssistantCreate> = z.object({
  graph_id: z.string(),
  assistant_id: uuid.nullish(),
  config: config.nullish(),
  context: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  if_exists: z.enum(['raise', 'do_nothing']).nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
})

/** Body of `PATCH /assistants/{assistant_id}`. Omitted fields keep their values. */
export interface AssistantPatch extends Omit<AssistantCreate, 'graph_id' | 'assistant_id' | 'if_exists'> {
  graph_id?: string | undefined
}

export const assistantPatch: z.ZodType<AssistantPatch> = z.object({
  graph_id: z.string().optional(),
  config: config.nullish(),
  context: jsonObject.nullish(),
  metadata: jsonObject.nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
})

/** Conditions of an assistant search, which must all hold. Body of `POST /assistants/count`. */
export interface AssistantFilter {
  graph_id?: Nullish<string>
  /** A part of the name, in any case. */
  name?: Nullish<string>
  metadata?: Nullish<JsonObject>
}

const filter = {
  graph_id: z.string().nullish(),
  name: z.string().nullish(),
  metadata: jsonObject.nullish(),
}

export const assistantFilter: z.ZodType<AssistantFilter> = z.object(filter)

/** Body of `POST /assistants/search`. */
export interface AssistantSearch extends AssistantFilter {
  limit: number
  offset: number
  sort_by?: Nullish<(typeof ASSISTANT_ORDERS)[number]>
  sort_order?: Nullish<SortOrder>
  select?: Nullish<string[]>
}

export const assistantSearch: z.ZodType<AssistantSearch> = z.object({
  ...filter,
  limit: pageLimit,
  offset: pageOffset,
  sort_by: z.enum(ASSISTANT_ORDERS).nullish(),
  sort_order: z.enum(SORT_ORDERS).nullish(),
  select: fieldNames(ASSISTANT_FIELDS).nullish(),
})

/** Body of `POST /assistants/{assistant_id}/versions`. */
export interface VersionSearch {
  limit: number
  offset: number
  metadata?: Nullish<JsonObject>
}

export const versionSearch: z.ZodType<VersionSearch> = z.object({
  limit: pageLimit,
  offset: pageOffset,
  metadata: jsonObject.nullish(),
})

/** Body of `POST /assistants/{assistant_id}/latest`. */
export interface VersionChoice {
  version: number
}

export const versionChoice: z.ZodType<VersionChoice> = z.object({ version: z.int() })

/** Query of `DELETE /assistants/{assistant_id}`. */
export interface AssistantDelete {
  delete_threads: 'true' | 'false'
}

export const assistantDelete: z.ZodType<AssistantDelete> = z.object({
  delete_threads: z.enum(['true', 'false']).default('false'),
})
