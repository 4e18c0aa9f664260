import { type Requirement, section, should, unspecified } from '../requirement.ts'

/** What a refused authentication looks like. */
export const errorRequirements: readonly Requirement[] = section(
  'deployment',
  'Errors',
  [
    should(
      'errors.unauthenticated.detail-missing',
      'The 401 for missing credentials carries the detail of the handler.',
      {
        interpretation: 'The shape of error bodies is left open: the text may stand anywhere in the body.',
      },
    ),
    should(
      'errors.unauthenticated.detail-wrong',
      'The 401 for invalid credentials carries the detail of the handler.',
      {
        interpretation: 'The shape of error bodies is left open: the text may stand anywhere in the body.',
      },
    ),
    unspecified('errors.unauthenticated.body-shape', 'Which body a 401 has.'),
  ],
  { profile: 'custom-auth' },
)
