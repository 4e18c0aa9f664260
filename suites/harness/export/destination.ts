import type { AccountName } from '../../../fixtures/bucket/bucket.ts'

/** Where a destination lies. */
export interface BucketPrefix {
  readonly bucket: string
  readonly prefix: string
}

/** What a destination is registered with. */
export interface DestinationOptions extends Partial<BucketPrefix> {
  /** @default 'full' */
  readonly account?: AccountName
}

/** A destination as the API takes it. */
export interface DestinationBody {
  readonly destination_type: string
  readonly display_name: string
  readonly config: Readonly<Record<string, string>> & { readonly bucket_name: string; readonly prefix: string }
  readonly credentials: Readonly<object>
}

/** A destination that was registered. */
export interface RegisteredDestination extends BucketPrefix {
  readonly id: string
}

/** A prefix that nobody else uses. */
export function uniquePrefix(): string {
  return `touchstone/${crypto.randomUUID()}`
}
