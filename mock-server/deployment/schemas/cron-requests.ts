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
import { isTimezone, readSchedule } from '../crons/schedule.ts'

// Requests for crons, which the specification does not mention.

const schedule = z.string().refine((text) => readSchedule(text) !== undefined, {
  error: 'expected minute, hour, day of month, month and day of week, such as */5 * * * * or 0 9 * * MON-FRI',
})
const timezone = z.string().refine(isTimezone, { error: 'expected a time zone such as Europe/Berlin' })
const endTime = z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time with an offset' })

/** The fields of a cron in its requests. Those of its runs are validated as a run. */
interface CronFields {
  schedule?: string | undefined
  timezone?: Nullish<string>
  end_time?: Nullish<string>
  enabled?: Nullish<boolean>
  on_run_completed?: Nullish<'delete' | 'keep'>
  metadata?: Nullish<JsonObject>
}

const fields = {
  timezone: timezone.nullish(),
  end_time: endTime.nullish(),
  enabled: z.boolean().nullish(),
  on_run_completed: z.enum(['delete', 'keep']).nullish(),
  metadata: jsonObject.nullish(),
}

/** Body of `POST /runs/crons` and `POST /threads/{thread_id}/runs/crons`. */
export type CronCreate = CronFields & { schedule: string; assistant_id: string; [field: string]: unknown }

export const cronCreate: z.ZodType<CronCreate> = z.looseObject({ schedule, assistant_id: z.string(), ...fields })

/** Body of `PATCH /runs/crons/{cron_id}`. */
export type CronPatch = CronFields & { [field: string]: unknown }

export const cronPatch: z.ZodType<CronPatch> = z.looseObject({ schedule: schedule.optional(), ...fields })

const CRON_FIELDS = [
  'cron_id',
  'assistant_id',
  'thread_id',
  'on_run_completed',
  'end_time',
  'schedule',
  'timezone',
  'created_at',
  'updated_at',
  'user_id',
  'payload',
  'next_run_date',
  'metadata',
  'enabled',
] as const

const CRON_ORDERS = [
  'cron_id',
  'assistant_id',
  'thread_id',
  'next_run_date',
  'end_time',
  'created_at',
  'updated_at',
] as const

/** Body of `POST /runs/crons/count`. */
export interface CronFilter {
  assistant_id?: Nullish<string>
  thread_id?: Nullish<string>
  enabled?: Nullish<boolean>
  metadata?: Nullish<JsonObject>
}

const filter = {
  assistant_id: z.string().nullish(),
  thread_id: uuid.nullish(),
  enabled: z.boolean().nullish(),
  metadata: jsonObject.nullish(),
}

export const cronFilter: z.ZodType<CronFilter> = z.object(filter)

/** Body of `POST /runs/crons/search`. */
export interface CronSearch extends CronFilter {
  limit: number
  offset: number
  sort_by?: Nullish<(typeof CRON_ORDERS)[number]>
  sort_order?: Nullish<SortOrder>
  select?: Nullish<string[]>
}

export const cronSearch: z.ZodType<CronSearch> = z.object({
  ...filter,
  limit: pageLimit,
  offset: pageOffset,
  sort_by: z.enum(CRON_ORDERS).nullish(),
  sort_order: z.enum(SORT_ORDERS).nullish(),
  select: fieldNames(CRON_FIELDS).nullish(),
})
