import { z } from 'zod'
import { type Nullish, uuid } from '../../http/fields.ts'
import { COMPRESSIONS, type Compression } from '../types.ts'
import { time } from './time.ts'

/** Body of `POST /api/v1/bulk-exports`. Section of the specification: Bulk export. */
export interface ExportCreate {
  bulk_export_destination_id: string
  session_id: string
  start_time: string
  end_time?: Nullish<string>
  filter?: Nullish<string>
  format?: 'Parquet' | undefined
  format_version?: 'v1' | 'v2_beta' | undefined
  compression?: Compression | undefined
  interval_hours?: Nullish<number>
  export_fields?: Nullish<string[]>
}

const MAX_HOURS = 168
const hours = { error: `expected a whole number from 1 to ${MAX_HOURS}` }
const MAX_FILTER_LENGTH = 20_000

export const exportCreate: z.ZodType<ExportCreate> = z.object({
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

/** Body of `PATCH /api/v1/bulk-exports/{export_id}`. */
export interface ExportUpdate {
  status: 'Cancelled'
}

export const exportUpdate: z.ZodType<ExportUpdate> = z.object({ status: z.literal('Cancelled').default('Cancelled') })

/** Query of every list. Without a limit the list is complete. */
export interface ListQuery {
  limit: number
  offset: number
}

const MAX_PAGE = 1000

export const listQuery: z.ZodType<ListQuery> = z.object({
  limit: integerText(1, MAX_PAGE).transform((value) => value ?? Number.POSITIVE_INFINITY),
  offset: integerText(0, Number.MAX_SAFE_INTEGER).transform((value) => value ?? 0),
})

/** Query of `GET /api/v1/bulk-exports/runs`. */
export interface SourceQuery extends ListQuery {
  source_bulk_export_id: string
}

export const sourceQuery: z.ZodType<SourceQuery> = z.object({ source_bulk_export_id: uuid }).and(listQuery)

function integerText(min: number, max: number): z.ZodType<number | undefined> {
  const expected = { error: `expected a whole number from ${min} to ${max}` }
  return z
    .string(expected)
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .pipe(z.number().min(min, expected).max(max, expected))
    .optional()
}
