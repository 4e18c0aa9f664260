import type { AccountName } from '../../../fixtures/bucket/bucket.ts'
import type { BucketPrefix } from '../../values/export/file-path.ts'

/** Options of the registration of a destination. */
export interface DestinationOptions extends Partial<BucketPrefix> {
  /** @default 'full' */
  readonly account?: AccountName
}

/** Body of the registration of a destination, with the names of the specification. */
export interface DestinationBody {
  readonly destination_type: string
  readonly display_name: string
  readonly config: Readonly<Record<string, string>> & { readonly bucket_name: string; readonly prefix: string }
  readonly credentials: Readonly<object>
}

export interface RegisteredDestination extends BucketPrefix {
  readonly id: string
}

/** Returns a prefix that no other destination has. */
export function uniquePrefix(): string {
  return `touchstone/${crypto.randomUUID()}`
}
