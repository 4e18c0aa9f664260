import { z } from 'zod'
import { fieldNames, jsonObject, pageLimit, pageOffset, SORT_ORDERS, uuid } from '../../http/fields.ts'
import { config } from './fields.ts'
import { assistantObject } from './responses.ts'

const ASSISTANT_ORDERS = ['assistant_id', 'graph_id', 'name', 'created_at', 'updated_at'] as const

/** Body of `POST /assistants`. */
export const assistantCreate = z.object({
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
export const assistantPatch = assistantCreate
  .omit({ assistant_id: true, if_exists: true })
  .extend({ graph_id: z.string().optional() })
export type AssistantPatch = z.output<typeof assistantPatch>

/** Conditions of an assistant search, which must all hold. Body of `POST /assistants/count`. */
export const assistantFilter = z.object({
  graph_id: z.string().nullish(),
  // A part of the name, in any case.
  name: z.string().nullish(),
  metadata: jsonObject.nullish(),
})
export type AssistantFilter = z.output<typeof assistantFilter>

/** Body of `POST /assistants/search`. */
export const assistantSearch = assistantFilter.extend({
  limit: pageLimit,
  offset: pageOffset,
  sort_by: z.enum(ASSISTANT_ORDERS).nullish(),
  sort_order: z.enum(SORT_ORDERS).nullish(),
  select: fieldNames(Object.keys(assistantObject.shape)).nullish(),
})

/** Body of `POST /assistants/{assistant_id}/versions`. */
export const versionSearch = z.object({ limit: pageLimit, offset: pageOffset, metadata: jsonObject.nullish() })

/** Body of `POST /assistants/{assistant_id}/latest`. */
export const versionChoice = z.object({ version: z.int() })

/** Query of `DELETE /assistants/{assistant_id}`. */
export const assistantDelete = z.object({ delete_threads: z.enum(['true', 'false']).default('false') })
