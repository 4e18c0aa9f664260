import { type Requirement, section, unspecified } from '../requirement.ts'

/** Limits of the deployment API; the specification states none. */
export const limitRequirements: readonly Requirement[] = section('deployment', 'Limits', [
  unspecified('limits.rate', 'Which rate limit the responses report.'),
  unspecified('limits.request-size', 'Whether the server accepts a request of one megabyte.'),
  unspecified('limits.page-size.assistants', 'How many assistants a client can request in one page.'),
  unspecified('limits.page-size.runs', 'How many runs a client can request in one page.'),
])
