import { z } from 'zod'
import type { Nullish } from '../../http/fields.ts'
import { ADDRESSING_STYLES, type AddressingStyle } from '../types.ts'

/** Credentials as a caller gives them. */
export interface CredentialsInput {
  access_key_id: string
  secret_access_key: string
  session_token?: Nullish<string>
}

/** Body of `POST …/destinations`. Section of the document: Export destination. */
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

// A name with other characters would reach beyond the bucket's part of an address.
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

// What the public server knows beside the document and this one does not do is refused: to ignore it would mean that
// files lie elsewhere, or are written by another than was asked for.
const role = z
  .null({ error: 'expected nothing, for this server assumes no role; give it "credentials" that may write' })
  .optional()
const acceleration = z
  .literal(false, { error: 'expected false, for this server has no accelerated endpoints; leave it out' })
  .nullish()
const bucketInPath = z
  .literal(true, {
    error:
      'expected true; where the endpoint names the bucket, leave it out there and set "config.config_kwargs_s3.addressing_style" to "virtual"',
  })
  .nullish()
const furtherParameters = z
  .strictObject({}, { error: 'expected nothing, for this server sends no further parameters with its writes' })
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
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, { error: 'expected the name of a region, such as eu-central-1' })
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
