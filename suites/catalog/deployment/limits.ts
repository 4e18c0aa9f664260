import { type Requirement, section, unspecified } from '../requirement.ts'

/** Limits of the deployment API: the document gives none. */
export const limitRequirements: readonly Requirement[] = section('deployment', 'Limits', [
  unspecified('limits.rate', 'Which rate limit answers tell of.'),
  unspecified('limits.request-size', 'Whether a request of one megabyte is accepted.'),
  unspecified('limits.page-size.assistants', 'How large a page of assistants may be asked for.'),
  unspecified('limits.page-size.runs', 'How large a page of runs may be asked for.'),
])
