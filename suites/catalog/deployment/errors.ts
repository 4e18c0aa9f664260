import { type Requirement, section, should, unspecified } from '../requirement.ts'

const anywhere = {
  interpretation: 'The specification does not define error bodies: the message may appear anywhere in the body.',
}

/** Requirements for the response to a rejected authentication. */
export const errorRequirements: readonly Requirement[] = section(
  'deployment',
  'Errors',
  [
    should(
      'errors.unauthenticated.detail-missing',
      "The body of the 401 response for missing credentials contains the handler's detail message.",
      anywhere,
    ),
    should(
      'errors.unauthenticated.detail-wrong',
      "The body of the 401 response for invalid credentials contains the handler's detail message.",
      anywhere,
    ),
    unspecified('errors.unauthenticated.body-shape', 'Which body a 401 response has.'),
  ],
  { profile: 'custom-auth' },
)
