import { z } from 'zod'
import { jsonObject, uuid } from '../../http/fields.ts'
import { formatMicros, parseMicros } from '../traces/micros.ts'
import type { TraceRecord } from '../traces/record.ts'
import { time, withZone } from './time.ts'

const RUN_TYPES = ['tool', 'chain', 'llm', 'retriever', 'embedding', 'prompt', 'parser'] as const

// Store times in UTC: they are the fastest to parse.
const utc = time.transform((text) => (text.endsWith('Z') ? text : formatMicros(parseMicros(withZone(text)))))
const object = z.record(z.string(), z.json())
const count = z.int().min(0).default(0)
const cost = z.number().min(0).nullable().default(null)

const record = z.object({
  id: uuid,
  tenant_id: uuid,
  session_id: uuid,
  trace_id: uuid,
  parent_run_id: uuid.nullable().default(null),
  parent_run_ids: z.array(uuid).default([]),
  reference_example_id: uuid.nullable().default(null),
  name: z.string(),
  run_type: z.enum(RUN_TYPES),
  start_time: utc,
  end_time: utc.nullable().default(null),
  status: z.string().default('success'),
  is_root: z.boolean(),
  dotted_order: z.string(),
  trace_tier: z.enum(['longlived', 'shortlived']).nullable().default(null),
  inputs: object.default({}),
  outputs: object.nullable().default(null),
  error: z.string().nullable().default(null),
  extra: object.nullable().default(null),
  events: z.array(object).default([]),
  tags: z.array(z.string()).default([]),
  feedback_stats: jsonObject.nullable().default(null),
  total_tokens: count,
  prompt_tokens: count,
  completion_tokens: count,
  total_cost: cost,
  prompt_cost: cost,
  completion_cost: cost,
  first_token_time: utc.nullable().default(null),
})

/** Body of `POST …/runs` of the control plane. Omitted fields of a record are empty or null. */
export const traceRecords: z.ZodType<{ records: readonly TraceRecord[] }> = z.object({
  records: z.array(record),
}) as unknown as z.ZodType<{ records: readonly TraceRecord[] }>
