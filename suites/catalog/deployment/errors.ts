import { open, type Requirement, section, should } from '../requirement.ts'

/** What a refused authentication looks like. */
export const errorRows: readonly Requirement[] = section(
  'deployment',
  'Errors',
  [
    should(
      'errors.unauthenticated.detail-missing',
      'The 401 for missing credentials carries the detail of the handler.',
      {
        reading: 'The shape of error bodies is left open: the text may stand anywhere in the body.',
      },
    ),
    should(
      'errors.unauthenticated.detail-wrong',
      'The 401 for invalid credentials carries the detail of the handler.',
      {
        reading: 'The shape of error bodies is left open: the text may stand anywhere in the body.',
      },
    ),
    open('errors.unauthenticated.body-shape', 'Which body a 401 has.'),
  ],
  { claim: 'custom-auth' },
)
