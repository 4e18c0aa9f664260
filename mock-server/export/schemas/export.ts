import { z } from 'zod'
import { uuid } from '../../http/fields.ts'
import { COMPRESSIONS } from '../types.ts'
import { time } from './time.ts'

const MAX_HOURS = 168
const hours = { error: `expected a whole number from 1 to ${MAX_HOURS}` }
const MAX_FILTER_LENGTH = 20_000

/** Body of `POST /api/v1/bulk-exports`. Section of the specification: Bulk export. */
export const exportCreate = z.object({
  bulk_export_destination_id: uuid,
  session_id: uuid,
  start_time: time,
  end_time: time.nullish(),
  filter: z.string().max(MAX_FILTER_LENGTH).nullish(),
  format: z.literal('Parquet').optional(),
  format_version: z.enum(['v1', 'v2_beta']).optional(),
  compression: z.enum(COMPRESSIONS).optional(),
  interval_hours: z.number(hours).int(hours).min(1, hours).max(MAX_HOURS, hours).nullish(),
  export_fields: z.array(z.string(), { error: 'expected an array of field names' }).nullish(),
})
export type ExportCreate = z.output<typeof exportCreate>

/** Body of `PATCH /api/v1/bulk-exports/{export_id}`. */
export const exportUpdate = z.object({ status: z.literal('Cancelled').default('Cancelled') })

const MAX_PAGE = 1000

/** Query of every list. Without a limit the list is complete. */
export const listQuery = z.object({
  limit: integerText(1, MAX_PAGE).transform((value) => value ?? Number.POSITIVE_INFINITY),
  offset: integerText(0, Number.MAX_SAFE_INTEGER).transform((value) => value ?? 0),
})

/** Query of `GET /api/v1/bulk-exports/runs`. */
export const sourceQuery = z.object({ source_bulk_export_id: uuid }).and(listQuery)

function integerText(min: number, max: number): z.ZodType<number | undefined> {
  const expected = { error: `expected a whole number from ${min} to ${max}` }
  return z
    .string(expected)
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .pipe(z.number().min(min, expected).max(max, expected))
    .optional()
}
