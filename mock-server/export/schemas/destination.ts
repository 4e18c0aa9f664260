import { z } from 'zod'
import { ADDRESSING_STYLES } from '../types.ts'

// Other characters could change other parts of the address.
const BUCKET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{1,61})[A-Za-z0-9]$/

const bucketName = z
  .string()
  .refine((name) => BUCKET_NAME.test(name) && !name.includes('..'), {
    error: 'expected a name of 3 to 63 letters, digits, hyphens and dots (Bucket is not valid)',
  })
  .meta({ minLength: 3, maxLength: 63 })

/** Credentials of a request. */
const credentials = z.object({
  access_key_id: z.string().min(1).max(255),
  secret_access_key: z.string().min(1).max(2048),
  session_token: z.string().max(8192).nullish(),
})
export type CredentialsInput = z.output<typeof credentials>

// Options of the public server that are not in the specification are rejected. If they were ignored, files would be
// written to another place or with other permissions than requested.
const role = z
  .null({ error: 'expected no value, because this server does not assume roles; set "credentials" instead' })
  .optional()
const acceleration = z
  .literal(false, { error: 'expected false, because this server has no accelerated endpoints; omit the field' })
  .nullish()
const bucketInPath = z
  .literal(true, {
    error:
      'expected true; if the endpoint contains the bucket name, remove it there and set "config.config_kwargs_s3.addressing_style" to "virtual"',
  })
  .nullish()
const furtherParameters = z
  .strictObject({}, { error: 'expected no value, because this server sends no additional parameters' })
  .nullish()

/** Body of `POST …/destinations`. Section of the specification: Export destination. */
export const destinationCreate = z.object({
  destination_type: z.literal('s3'),
  display_name: z.string().regex(/^[a-zA-Z0-9\-_ ']+$/, {
    error: "expected letters, digits, spaces, hyphens, underscores and ', at least one",
  }),
  config: z.object({
    bucket_name: bucketName,
    prefix: z.string().max(2048).nullish(),
    region: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, { error: 'expected a region name, such as eu-central-1' })
      .nullish(),
    endpoint_url: z.string().max(2048).nullish(),
    config_kwargs_s3: z
      .object({
        addressing_style: z.enum(ADDRESSING_STYLES).nullish(),
        use_accelerate_endpoint: acceleration,
      })
      .nullish(),
    include_bucket_in_prefix: bucketInPath,
    aws_role_arn: role,
    s3_additional_kwargs: furtherParameters,
  }),
  aws_role_arn: role,
  credentials: credentials.nullish(),
})
export type DestinationCreate = z.output<typeof destinationCreate>

/** Body of `PATCH …/destinations/{destination_id}`. */
export const destinationUpdate = z.object({ credentials, aws_role_arn: role })
