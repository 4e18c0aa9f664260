import type { Mutant } from '../mutant.ts'
import { streamFramingMutants } from './stream-framing.ts'
import { streamMetadataMutants } from './stream-metadata.ts'
import { streamRequestMutants } from './stream-request.ts'
import { streamUpdatesMutants } from './stream-updates.ts'
import { streamUpdatesOrderMutants } from './stream-updates-order.ts'

export const streamMutants: readonly Mutant[] = [
  ...streamRequestMutants,
  ...streamFramingMutants,
  ...streamMetadataMutants,
  ...streamUpdatesMutants,
  ...streamUpdatesOrderMutants,
]
