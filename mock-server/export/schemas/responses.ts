import { z } from 'zod'
import { uuid } from '../../http/fields.ts'
import { ADDRESSING_STYLES, COMPRESSIONS, EXPORT_STATUSES } from '../types.ts'

// Schemas of responses. They are used for the OpenAPI description only, not to validate responses.

const timestamp = z.iso.datetime({ offset: true })

/** A destination. */
export const destination: z.ZodType = z
  .object({
    id: uuid,
    tenant_id: uuid,
    destination_type: z.literal('s3'),
    display_name: z.string(),
    config: z.object({
      bucket_name: z.string(),
      prefix: z.string(),
      region: z.string().nullable(),
      endpoint_url: z.string().nullable(),
      config_kwargs_s3: z.object({ addressing_style: z.enum(ADDRESSING_STYLES) }),
    }),
    credentials_keys: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BulkExportDestination' })

/** An export. */
export const bulkExport: z.ZodType = z
  .object({
    id: uuid,
    tenant_id: uuid,
    bulk_export_destination_id: uuid,
    session_id: uuid,
    start_time: timestamp,
    end_time: timestamp.nullable(),
    filter: z.string().nullable(),
    format: z.literal('Parquet'),
    format_version: z.enum(['v1', 'v2_beta']),
    compression: z.enum(COMPRESSIONS),
    interval_hours: z.int().nullable(),
    export_fields: z.array(z.string()).nullable(),
    status: z.enum(EXPORT_STATUSES),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
    source_bulk_export_id: uuid.nullable(),
  })
  .meta({ id: 'BulkExport' })

const result = z.object({
  rows_written: z.int(),
  exported_files: z.array(z.string()),
  export_path: z.string(),
  latest_cursor: z.string().nullable(),
})

/** An export run. */
export const exportRun: z.ZodType = z
  .object({
    id: uuid,
    bulk_export_id: uuid,
    session_id: uuid,
    status: z.enum(EXPORT_STATUSES).exclude(['IntervalScheduled']),
    retry_number: z.int(),
    errors: z.record(z.string(), z.string()).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
    start_time: timestamp,
    end_time: timestamp,
    metadata: z.object({ prefix: z.string(), start_time: timestamp, end_time: timestamp, result }),
  })
  .meta({ id: 'BulkExportRun' })
