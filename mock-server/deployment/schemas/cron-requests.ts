import { z } from 'zod'
import { fieldNames, jsonObject, pageLimit, pageOffset, SORT_ORDERS, uuid } from '../../http/fields.ts'
import { isTimezone, readSchedule } from '../crons/schedule.ts'
import { cronObject } from './responses.ts'

// Requests for crons, which the specification does not mention.

const schedule = z.string().refine((text) => readSchedule(text) !== undefined, {
  error: 'expected minute, hour, day of month, month and day of week, such as */5 * * * * or 0 9 * * MON-FRI',
})
const timezone = z.string().refine(isTimezone, { error: 'expected a time zone such as Europe/Berlin' })
const endTime = z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time with an offset' })

/** The fields of a cron in its requests. Those of its runs are validated as a run. */
const fields = {
  timezone: timezone.nullish(),
  end_time: endTime.nullish(),
  enabled: z.boolean().nullish(),
  on_run_completed: z.enum(['delete', 'keep']).nullish(),
  metadata: jsonObject.nullish(),
}

/** Body of `POST /runs/crons` and `POST /threads/{thread_id}/runs/crons`. */
export const cronCreate = z.looseObject({ schedule, assistant_id: z.string(), ...fields })

/** Body of `PATCH /runs/crons/{cron_id}`. */
export const cronPatch = z.looseObject({ schedule: schedule.optional(), ...fields })

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
export const cronFilter = z.object({
  assistant_id: z.string().nullish(),
  thread_id: uuid.nullish(),
  enabled: z.boolean().nullish(),
  metadata: jsonObject.nullish(),
})
export type CronFilter = z.output<typeof cronFilter>

/** Body of `POST /runs/crons/search`. */
export const cronSearch = cronFilter.extend({
  limit: pageLimit,
  offset: pageOffset,
  sort_by: z.enum(CRON_ORDERS).nullish(),
  sort_order: z.enum(SORT_ORDERS).nullish(),
  select: fieldNames(Object.keys(cronObject.shape)).nullish(),
})
