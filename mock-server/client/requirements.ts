import { fieldRequirements } from './fields.ts'
import { requestRequirements } from './requests.ts'
import type { ClientRequirement } from './requirement.ts'
import { retryRequirements } from './retries.ts'
import { serverRequirements } from './servers.ts'
import { streamRequirements } from './streams.ts'

/** All requirements of clients. */
export const clientRequirements: readonly ClientRequirement[] = [
  ...requestRequirements,
  ...fieldRequirements,
  ...retryRequirements,
  ...streamRequirements,
  ...serverRequirements,
]
