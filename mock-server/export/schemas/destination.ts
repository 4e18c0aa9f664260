import { z } from 'zod'
import type { Nullish } from '../../http/fields.ts'
import { ADDRESSING_STYLES, type AddressingStyle } from '../types.ts'

/** Credentials of a request. */
export interface CredentialsInput {
  access_key_id: string
  secret_access_key: string
  session_token?: Nullish<string>
}

/** Body of `POST …/destinations`. Section of the specification: Export destination. */
export interface DestinationCreate {
  destination_type: 's3'
  display_name: string
  config: {
    bucket_name: string
    prefix?: Nullish<string>
    region?: Nullish<string>
    endpoint_url?: Nullish<string>
    config_kwargs_s3?: Nullish<{
      addressing_style?: Nullish<AddressingStyle>
      use_accelerate_endpoint?: Nullish<false>
    }>
    include_bucket_in_prefix?: Nullish<true>
    aws_role_arn?: null | undefined
    s3_additional_kwargs?: Nullish<Record<string, never>>
  }
  aws_role_arn?: null | undefined
  credentials?: Nullish<CredentialsInput>
}

/** Body of `PATCH …/destinations/{destination_id}`. */
export interface DestinationUpdate {
  credentials: CredentialsInput
  aws_role_arn?: null | undefined
}

// Other characters could change other parts of the address.
const BUCKET_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{1,61})[A-Za-z0-9]$/

const bucketName = z
  .string()
  .refine((name) => BUCKET_NAME.test(name) && !name.includes('..'), {
    error: 'expected a name of 3 to 63 letters, digits, hyphens and dots (Bucket is not valid)',
  })
  .meta({ minLength: 3, maxLength: 63 })

const credentials: z.ZodType<CredentialsInput> = z.object({
  access_key_id: z.string().min(1).max(255),
  secret_access_key: z.string().min(1).max(2048),
  session_token: z.string().max(8192).nullish(),
})

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

export const destinationCreate: z.ZodType<DestinationCreate> = z.object({
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

export const destinationUpdate: z.ZodType<DestinationUpdate> = z.object({ credentials, aws_role_arn: role })
