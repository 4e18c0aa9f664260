import { open, type Requirement, section } from '../requirement.ts'

/** Limits of the deployment API: the document gives none. */
export const limitRows: readonly Requirement[] = section('deployment', 'Limits', [
  open('limits.rate', 'Which rate limit answers tell of.'),
  open('limits.request-size', 'Whether a request of one megabyte is accepted.'),
  open('limits.page-size.assistants', 'How large a page of assistants may be asked for.'),
  open('limits.page-size.runs', 'How large a page of runs may be asked for.'),
])
